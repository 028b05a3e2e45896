import type { InferResponseType } from 'hono/client';
import { usd } from '../../../../api/payments/rules.ts';
import { money } from '../../../../api/shared/text.ts';
import type { Language } from '../../../../locales/languages.ts';
import type { ApiClient } from '../../lib/api.ts';
import { number } from '../../lib/format.ts';
import type { AdminScreen } from '../admin/screen.ts';
import type { CreditWords } from './words.ts';

type Credits = ApiClient['admin']['credits'];
export type Purchase = InferResponseType<Credits['purchases']['$get'], 200>['purchases'][number];
export type Member = InferResponseType<Credits['members']['$get'], 200>['members'][number];
export type Entry = InferResponseType<
  Credits['members'][':number']['$get'],
  200
>['entries'][number];
export type CreditsScreen = AdminScreen<CreditWords>;

export const priceText = (
  { amountUsd, amountXaf }: Pick<Purchase, 'amountUsd' | 'amountXaf'>,
  language: Language,
): string => {
  if (amountUsd === null) return money(amountXaf ?? 0, language);
  const dollars = usd(amountUsd, language);
  return amountXaf === null ? dollars : `${dollars} (${money(amountXaf, language)})`;
};

/** Sum that was given back of a purchase, in the currency that was paid. */
export const refundedOf = ({ refunds }: Pick<Purchase, 'refunds'>): number =>
  refunds.reduce((sum, { status, amount }) => (status === 'completed' ? sum + amount : sum), 0);

/** Amount of an entry with its sign. */
export const signed = (amount: number, language: Language): string =>
  number(amount, language, { signDisplay: 'exceptZero' }).replace('-', '−');

/** Parses a typed integer, also with a typographic minus; undefined when empty. */
export function readWhole(typed: string): number | undefined {
  const text = typed.replaceAll(/\s/g, '').replace('−', '-').replace(',', '.');
  return text === '' ? undefined : Number(text);
}
