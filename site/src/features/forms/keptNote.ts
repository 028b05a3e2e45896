import { longest } from '../../../../api/core/clean.ts';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';

/** Texts up to this many characters are quoted whole. */
const quoted = 120;

/** A text without the differences that a reader cannot see: control characters and the number of spaces. */
const visible = (text: string): string =>
  text
    .replaceAll(/(?!\s)\p{Cc}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The whole text, or the part around the character at `position`. */
function excerpt(text: string, position: number): string {
  const characters = [...text];
  if (characters.length <= quoted) return text;
  const from = Math.max(0, position - quoted / 3);
  const to = from + quoted;
  return `${from > 0 ? '…' : ''}${characters.slice(from, to).join('')}${to < characters.length ? '…' : ''}`;
}

/**
 * Says how a text will be saved when cleaning takes something visible out of it; otherwise empty.
 * @param kept the text as its schema keeps it (`clean`, `cleanLine`)
 */
export function keptNote(
  typed: string,
  kept: string,
  language: Language,
  validation: Dictionaries['validation'],
): string {
  // A longer text is refused before it is cleaned.
  if (typed.length > longest || visible(typed) === visible(kept)) return '';
  const t = clientTranslator(language, validation);
  if (kept === '') return t('keptNothing');
  const after = [...kept];
  const changed = [...typed.trim()].findIndex(
    (character, position) => character !== after[position],
  );
  return t('keptAs', { text: excerpt(kept, changed) });
}
