import type { Language } from '../../../../locales/languages.ts';
import { browserApi, unwrap } from '../../lib/api.ts';
import { dateTime, number } from '../../lib/format.ts';

/** Reads the user's credits without entries: none is before entry 1. */
export const readCredits = (language: Language, fallback: string) =>
  unwrap(browserApi(language).credits.$get({ query: { before: '1' } }), fallback);

/** Announces the new balance to the page. */
export function tellBalance(balance: number): void {
  window.dispatchEvent(new CustomEvent('connect:balance', { detail: balance }));
}

/** Formats as `USD 10`, `USD 0.40`. */
export const usd = (amount: number, language: Language): string =>
  number(amount, language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'code',
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
  });

export const priceDay = (day: string, language: Language): string =>
  dateTime(day, language, 'date');
