import { longest } from '../../../../api/shared/clean.ts';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';

/** Longer texts are shown as an excerpt, in characters. */
const quoted = 120;

/** Removes invisible differences: control characters and repeated spaces. */
const visible = (text: string): string =>
  text
    .replaceAll(/(?!\s)\p{Cc}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

function excerpt(text: string, position: number): string {
  const characters = [...text];
  if (characters.length <= quoted) return text;
  const from = Math.max(0, position - quoted / 3);
  const to = from + quoted;
  return `${from > 0 ? '…' : ''}${characters.slice(from, to).join('')}${to < characters.length ? '…' : ''}`;
}

/**
 * Note on how a text will be saved when cleaning removes something visible; otherwise ''. `kept` is
 * the text after `clean` or `cleanLine`.
 */
export function keptNote(
  typed: string,
  kept: string,
  language: Language,
  validation: Dictionaries['validation'],
): string {
  // Longer texts are refused before cleaning.
  if (typed.length > longest || visible(typed) === visible(kept)) return '';
  const t = clientTranslator(language, validation);
  if (kept === '') return t('keptNothing');
  const after = [...kept];
  const changed = [...typed.trim()].findIndex(
    (character, position) => character !== after[position],
  );
  return t('keptAs', { text: excerpt(kept, changed) });
}
