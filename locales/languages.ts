/**
 * Interface languages (product §1, §9). A new one needs a folder like `fr/` and its code here
 * (decision 008).
 */
export const languages = ['en', 'fr'] as const;
export type Language = (typeof languages)[number];
/** For regular expressions. */
export const anyLanguage = languages.join('|');
export const defaultLanguage: Language = 'en';

/** A value for each language. */
export const inEveryLanguage = <T>(of: (language: Language) => T): Record<Language, T> =>
  Object.fromEntries(languages.map((language) => [language, of(language)])) as Record<Language, T>;

export function isLanguage(value: unknown): value is Language {
  return languages.includes(value as Language);
}

/** Undefined if no language fits (product R40). */
export function negotiateLanguage(header: string | null | undefined): Language | undefined {
  if (!header) return undefined;
  // Browsers send less.
  const preferred = header
    .slice(0, 200)
    .split(',')
    .map((part, order) => {
      const [tag = '', ...params] = part.trim().split(';');
      const quality = params.map((p) => p.trim()).find((p) => p.startsWith('q='));
      const weight = quality ? Number(quality.slice(2)) : 1;
      return {
        language: tag.trim().toLowerCase().split('-')[0],
        weight: Number.isFinite(weight) ? weight : 0,
        order,
      };
    })
    .filter((candidate) => candidate.weight > 0)
    .sort((a, b) => b.weight - a.weight || a.order - b.order);
  for (const candidate of preferred) if (isLanguage(candidate.language)) return candidate.language;
  return undefined;
}

/** Languages of product texts, whatever the interface's (product §3). */
export const productLanguages = ['en', 'fr'] as const satisfies readonly Language[];
/**
 * One string stands for both languages (product §3). `written` is the language of a text that
 * readers of every language get.
 */
export type Bilingual = (Partial<Record<Language, string>> & { written?: Language }) | string;

/** British English, since Cameroon writes the day first. */
export const dateTag = (language: Language): string => (language === 'en' ? 'en-GB' : language);
