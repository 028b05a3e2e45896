import { translator } from '../../locales/index.ts';
import { type Bilingual, dateTag, type Language } from '../../locales/languages.ts';
import { inLanguage } from './text.ts';

/** An absolute time in Africa/Douala (product R42), for mails and share texts. */
export function dayAndTime(moment: Date, language: Language): string {
  return new Intl.DateTimeFormat(dateTag(language), {
    timeZone: 'Africa/Douala',
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  }).format(moment);
}

/** The calendar day in Africa/Douala, as `2026-11-21`: the key of the daily figures. */
export function dayKey(moment: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Douala', year: 'numeric', month: '2-digit', day: '2-digit' }).format(moment);
}

/** A product's name in a language, or 'Unnamed Product' / 'Produit sans nom' (product §3). */
export const nameIn = (name: Bilingual | null, language: Language): string => inLanguage(name, language) ?? translator(language, 'common')('product.unnamed');
