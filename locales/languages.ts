/**
 * The interface languages of the product (product §1, §9), by their two letters. One more takes a folder like `fr/`, and its letters here
 * (decision 008).
 */
export const languages = ['en', 'fr'] as const;
export type Language = (typeof languages)[number];
/** The letters of any of them, for a pattern. */
export const anyLanguage = languages.join('|');
export const defaultLanguage: Language = 'en';

/** Narrows any value to a supported language. */
export function isLanguage(value: unknown): value is Language {
  return languages.includes(value as Language);
}

/** Picks the best supported language of an `Accept-Language` header, or nothing when none fits (product R40). */
export function negotiateLanguage(header: string | null | undefined): Language | undefined {
  if (!header) return undefined;
  // No browser's is longer: what comes after that is somebody's load.
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

/** The languages that sellers write in, whatever the interface speaks (product §3). */
export const productLanguages = ['en', 'fr'] as const satisfies readonly Language[];
/** A text of a product: English and French, or one plain string for both (product §3). */
export type Bilingual = Partial<Record<Language, string>> | string;

/** The name under which Intl writes dates: British order in English, since Cameroon writes the day first. */
export const dateTag = (language: Language): string => (language === 'en' ? 'en-GB' : language);
