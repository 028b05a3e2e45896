import { type Bilingual, type Language, languages } from '../../locales/languages.ts';

/**
 * A text in the reader's language, else in another one with its `lang` for screen readers (product
 * §3). Undefined when empty in all; a plain string fits every language.
 */
export function translationOf(
  text: Bilingual | null,
  language: Language,
): { text: string; lang?: Language } | undefined {
  const found = [language, ...languages].find((known) => textFor(text, known));
  if (!found) return undefined;
  const written = (typeof text === 'object' && text?.written) || found;
  return { text: textFor(text, found), ...(written === language ? {} : { lang: written }) };
}

/** {@link translationOf} without the language; callers add the fallbacks of product §3. */
export const inLanguage = (text: Bilingual | null, language: Language): string | undefined =>
  translationOf(text, language)?.text;

/** '' when not written in that language. */
export const textFor = (text: Bilingual | null, language: Language): string =>
  (typeof text === 'string' ? text : text?.[language])?.trim() ?? '';

const amounts = new Map<Language, Intl.NumberFormat>();

/** XAF amount without decimals: `XAF 12,500`, `12 500 XAF` (product R42), with Intl's spaces. */
export function money(amount: number, language: Language): string {
  // Slow to create.
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
