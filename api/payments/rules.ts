import {
  type currencies,
  type paymentMethods,
  type purchaseMethods,
  unpaidStates,
} from '../../db/vocabularies.ts';
import type { Language } from '../../locales/languages.ts';
import { money } from '../shared/text.ts';

/** The only pack on sale (product §9). */
export const pack = { credits: 25, usd: 10 } as const;

const [hour, day] = [3_600_000, 86_400_000];
/** UTC+1 all year. */
const douala = hour;

/** Monday 00:00 in Douala of the current week. */
export function weekStart(now: Date): Date {
  const local = now.getTime() + douala;
  const sinceMonday = (new Date(local).getUTCDay() + 6) % 7;
  return new Date(Math.floor(local / day) * day - sinceMonday * day - douala);
}

/**
 * check_weekly_purchase_limit (product §7, R37). Amounts in USD; `spent` includes pending
 * purchases.
 */
export function weeklyLimit({
  limit,
  spent,
  amount = pack.usd,
  now,
}: {
  limit: number;
  spent: number;
  amount?: number;
  now: Date;
}) {
  const start = weekStart(now);
  const remaining = Math.max(0, limit - spent);
  return {
    can_purchase: amount <= remaining,
    weekly_limit: limit,
    remaining_limit: remaining,
    week_start: start.toISOString(),
    days_left: Math.ceil((start.getTime() + 7 * day - now.getTime()) / day),
  };
}

/**
 * Price in XAF on a day (ISO date) at a rate in XAF for one dollar, rounded up to the next 5 francs;
 * null before the day from which the rate holds, or without one.
 */
export const priceInXaf = (
  amountUsd: number,
  { rate, from }: { rate: number; from: string },
  today: string,
): { amount: number; rate: number; from: string } | null =>
  rate > 0 && from !== '' && from <= today
    ? // Whole hundredths, so that 605.5 stays exact.
      { amount: Math.ceil((amountUsd * Math.round(rate * 100)) / 500) * 5, rate, from }
    : null;

/** A rate in words of the language: `605.50`. */
export const rateIn = (rate: number, language: Language): string =>
  new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(rate);

export const payeesFor = {
  stripe: [],
  mobile_money: ['mtn_momo', 'orange_money'],
  cash_partner: ['cash'],
} as const satisfies Record<
  (typeof purchaseMethods)[number],
  readonly (typeof paymentMethods)[number][]
>;

type Priced = { amountUsd: number | null; amountXaf: number | null };
/** Currency that was paid: XAF if a price in XAF was set, else USD. */
export const paidIn = ({ amountXaf }: Pick<Priced, 'amountXaf'>): (typeof currencies)[number] =>
  amountXaf === null ? 'USD' : 'XAF';
export const priceOf = ({ amountUsd, amountXaf }: Priced): number => amountXaf ?? amountUsd ?? 0;

export const usd = (amount: number, language: Language): string =>
  new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'code',
    maximumFractionDigits: 0,
  }).format(amount);

/** An amount of a purchase's money in words. */
export const amountIn = (
  purchase: Pick<Priced, 'amountXaf'>,
  amount: number,
  language: Language,
): string => (paidIn(purchase) === 'XAF' ? money(amount, language) : usd(amount, language));

/** Credits that a refunded part of the price is worth, all of them for the whole price. */
export const creditsDue = (credits: number, refunded: number, price: number): number =>
  Math.round((credits * refunded) / price);

/** The other subject of a purchase is a listing's fee. */
export const isOfCredits = <
  T extends { member: number | null; amountUsd: number | null; creditsAmount: number | null },
>(
  purchase: T,
): purchase is T & { member: number; amountUsd: number; creditsAmount: number } =>
  purchase.member !== null;

/** Names of adapters that move no money end so, or are the simulation's. */
export const testSuffix = '-test';
export const isTestAdapter = (name: string): boolean =>
  name === 'simulation' || name.endsWith(testSuffix);

/** True for one that a provider may still say was paid. */
export const mayBePaid = ({ status }: { status: string }): boolean =>
  (unpaidStates as readonly string[]).includes(status);
