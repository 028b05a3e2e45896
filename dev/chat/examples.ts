import { readFileSync } from 'node:fs';
import { type Language, languages } from '../../locales/languages.ts';

/**
 * Sentences of `locales/<language>/examples.json`, by the intent that a person meant. `[12] ` stands
 * before one that was written below the card of stall 12; behind ` → ` stand the stall meant, or what
 * must be searched: words, `>20000`, `<50000`.
 */
export type Example = {
  language: Language;
  intent: string;
  say: string;
  card?: number;
  stall?: number;
  words?: string[];
  min?: number;
  max?: number;
};

export const localeText = (language: Language, file: string): string =>
  readFileSync(new URL(`../../locales/${language}/${file}.json`, import.meta.url), 'utf8');

export const examples: readonly Example[] = languages.flatMap((language) =>
  Object.entries(JSON.parse(localeText(language, 'examples')) as Record<string, string[]>).flatMap(
    ([intent, sentences]) => sentences.map((one) => ({ language, intent, ...exampleIn(one) })),
  ),
);

function exampleIn(written: string): Omit<Example, 'language' | 'intent'> {
  const [, card, rest = ''] = /^(?:\[(\d{1,2})\] )?(.*)$/su.exec(written) ?? [];
  const [say = '', wanted = ''] = rest.split(' → ');
  const parts = wanted.split(' ').filter(Boolean);
  const numberAfter = (sign: string) =>
    parts.flatMap((part) => (part.startsWith(sign) ? [Number(part.slice(1))] : []))[0];
  const [stall, min, max] = ['#', '>', '<'].map(numberAfter);
  const words = parts.filter((part) => /^[^#<>]/.test(part));
  return {
    say,
    ...(card && { card: Number(card) }),
    ...(stall !== undefined && { stall }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(words.length > 0 && { words }),
  };
}
