import { lengthOf } from '../../../../api/core/clean.ts';
import type { Language } from '../../../../locales/languages.ts';
import { number } from '../../lib/format.ts';
import type { Counter } from '../../ui/Field.tsx';

/**
 * How much of a field is filled, counted as its schema counts: cleaned, and an emoji is one character.
 * @param text as the schema keeps it (`clean`, `cleanLine`)
 */
export function counterOf(
  text: string,
  limit: number,
  language: Language,
  label: (used: number, limit: number) => string,
): Counter {
  const used = lengthOf(text);
  return {
    over: used > limit,
    shown: `${number(used, language)}/${number(limit, language)}`,
    label: label(used, limit),
  };
}
