import { type Bilingual, type Language, languages } from '../../locales/languages.ts';

/**
 * A text in the reader's language, or in another one that it exists in, with that one's name, so that it is read aloud as what it is
 * (product §3). Nothing when it is empty in all; a plain string counts for every language.
 */
export function translationOf(
  text: Bilingual | null,
  language: Language,
): { text: string; lang?: Language } | undefined {
  const found = [language, ...languages].find((known) => textFor(text, known));
  return found && { text: textFor(text, found), ...(found === language ? {} : { lang: found }) };
}

/** A text in the reader's language, else in another one, else nothing: the fallbacks of product §3 are the caller's. */
export const inLanguage = (text: Bilingual | null, language: Language): string | undefined =>
  translationOf(text, language)?.text;

/** A text in one language alone: '' when it is not written in that one. */
export const textFor = (text: Bilingual | null, language: Language): string =>
  (typeof text === 'string' ? text : text?.[language])?.trim() ?? '';

const amounts = new Map<Language, Intl.NumberFormat>();

/** An amount in XAF with its code, without decimals: `XAF 12,500`, `12 500 XAF` (product R42), with the spaces that Intl gives. */
export function money(amount: number, language: Language): string {
  // Slow to make, quick to use.
  let format = amounts.get(language);
  if (!format) {
    format = new Intl.NumberFormat(language, {
      style: 'currency',
      currency: 'XAF',
      currencyDisplay: 'code',
      maximumFractionDigits: 0,
    });
    amounts.set(language, format);
  }
  return format.format(amount);
}

export const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
