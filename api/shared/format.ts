import { translator } from '../../locales/index.ts';
import { type Bilingual, dateTag, type Language } from '../../locales/languages.ts';
import { inLanguage } from './text.ts';

/** In Africa/Douala (product R42), for mails and share texts. */
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

/** The day in Africa/Douala, as `2026-11-21`. */
export function dayKey(moment: Date): string {
  return new Intl.DateTimeFormat('en-CA', {
    timeZone: 'Africa/Douala',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(moment);
}

/** A product's name, or 'Unnamed Product' / 'Produit sans nom' (product §3). */
export const nameIn = (name: Bilingual | null, language: Language): string =>
  inLanguage(name, language) ?? translator(language, 'common')('product.unnamed');

/** The two largest units: "2 days 5 hours", "5 hours 20 minutes"; at least a minute. */
export function durationIn(seconds: number, language: Language): string {
  const say = translator(language, 'common');
  const minutes = Math.max(1, Math.floor(seconds / 60));
  const parts = [
    [Math.floor(minutes / 1440), 'duration.days'],
    [Math.floor(minutes / 60) % 24, 'duration.hours'],
    [minutes % 60, 'duration.minutes'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => say(unit, { count }))
    .join(' ');
}
