import type { Language } from '../../locales/languages.ts';

const locales: Record<Language, string> = { en: 'en-GB', fr: 'fr-CM' };

/** An absolute time in Africa/Douala (product R42), for mails and share texts. */
export function dayAndTime(moment: Date, language: Language): string {
  return new Intl.DateTimeFormat(locales[language], {
    timeZone: 'Africa/Douala',
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  }).format(moment);
}

/** An amount in XAF with its code, without decimals: `XAF 12,500`, `12 500 XAF` (product R42). */
export function money(amount: number, language: Language): string {
  return new Intl.NumberFormat(language === 'fr' ? 'fr-FR' : 'en-GB', { style: 'currency', currency: 'XAF', currencyDisplay: 'code', maximumFractionDigits: 0 })
    .format(amount)
    .replace(/^XAF\s*/, 'XAF ');
}

/** The calendar day in Africa/Douala, as `2026-11-21`: the key of the daily figures. */
export function dayKey(moment: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Douala', year: 'numeric', month: '2-digit', day: '2-digit' }).format(moment);
}
