import { lengthOf } from '../../../../api/shared/clean.ts';
import type { Language } from '../../../../locales/languages.ts';
import { number } from '../../lib/format.ts';
import type { Counter } from '../../ui/Field.tsx';

/**
 * Character counter as the schema counts: an emoji is one. `text` must be cleaned (`clean`,
 * `cleanLine`).
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
