import type { Language } from '../../../../locales/languages.ts';
import { browserApi, unwrap } from '../../lib/api.ts';
import { dateTime, number } from '../../lib/format.ts';

/** One's own credits without their entries, of which none is before the first. */
export const readCredits = (language: Language, fallback: string) =>
  unwrap(browserApi(language).credits.$get({ query: { before: '1' } }), fallback);

/** Tells the page how many credits there are now. */
export function tellBalance(balance: number): void {
  window.dispatchEvent(new CustomEvent('connect:balance', { detail: balance }));
}

/** `USD 10`, `USD 0.40`. */
export const usd = (amount: number, language: Language): string =>
  number(amount, language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'code',
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
  });

/** The day from which a price holds. */
export const priceDay = (day: string, language: Language): string =>
  dateTime(day, language, 'date');
