import type { Bilingual, Language } from '../../../../locales/languages.ts';

/** What an admin calls a product: its name in their language, or in the other one. */
export function callIt(name: Bilingual | null, language: Language, unnamed: string): string {
  if (typeof name === 'string') return name.trim() || unnamed;
  return name?.[language]?.trim() || name?.[language === 'en' ? 'fr' : 'en']?.trim() || unnamed;
}
