import { fold } from '../../api/search/fold.ts';
import { amountsIn } from '../../api/shared/price.ts';
import { isSlot } from '../../api/shared/slots.ts';
import { goods, known, labels, namers, numbers, short, signs, units, vocabulary } from './table.ts';
import { tokensOf } from './words.ts';

const longestText = 300;
const mostTokens = 40;

const isKnown = (word: string): boolean => [...known.values()].some((words) => words.has(word));

/** `given` as written, `word` as understood. A price or a number of a stall is no word. */
export type Token = { given: string; word: string; kind: 'word' | 'price' | 'number' | 'label' };
export type Heard = { tokens: Token[]; number?: number; asks: boolean };

/** Splits a message into words, without accents, long drawn letters, short forms and slips. */
export function heardIn(text: string): Heard {
  const cut = text.slice(0, longestText);
  const words = wordsOf(cut);
  const given = (words.length > 0 ? words : signsIn(cut)).slice(0, mostTokens).flatMap(parted);
  const tokens = given
    .flatMap((one): Token[] => meantBy(one).map((word) => ({ given: one, word, kind: 'word' })))
    .filter(({ word }, n, all) => word !== 'est' || all[n - 1]?.word !== 'est');
  for (const { from, to, sure, value } of amountsIn(tokens.map(({ word }) => word)))
    if (sure || value > 99) for (const token of tokens.slice(from, to)) token.kind = 'price';
  const found = stallAt(tokens);
  if (!found) return { tokens, asks: cut.includes('?') };
  for (const token of tokens.slice(found.from, found.to)) token.kind = 'number';
  for (let at = found.from - 1; at >= 0 && labels.has((tokens[at] as Token).word); at--)
    (tokens[at] as Token).kind = 'label';
  return { tokens, number: found.number, asks: cut.includes('?') };
}

const contractions: readonly (readonly [RegExp, string])[] = [
  [/\bcan['’]t\b/gi, 'can not'],
  [/\bwon['’]t\b/gi, 'will not'],
  [/n['’]t\b/gi, ' not'],
  [/(?<=[a-z]{2})['’]s\b/gi, ' is'],
  [/\bi['’]m\b/gi, 'i am'],
  [/['’]re\b/gi, ' are'],
  [/['’]ll\b/gi, ' will'],
  [/['’]ve\b/gi, ' have'],
];

/** Some short forms differ from another word by their accent alone ("wé"). */
function wordsOf(text: string): string[] {
  let full = text.normalize('NFC').toLowerCase();
  for (const [form, words] of contractions) full = full.replaceAll(form, words);
  return full
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap((word) => (short.has(word) && /[^a-z0-9]/.test(word) ? [word] : tokensOf(word)));
}

function signsIn(text: string): string[] {
  const found = [...text].flatMap((sign) => signs.get(sign) ?? []);
  return [...new Set(found)];
}

/** `du12` is two words; `a14` and `ps5` are one. */
function parted(token: string): string[] {
  const [, letters = '', digits = ''] = /^([a-z]{2,12})(\d{1,2})$/.exec(token) ?? [];
  return digits !== '' && isKnown(letters) && !goods.has(letters) && !goods.has(token)
    ? [letters, digits]
    : [token];
}

const shortestSlip = 5;
const longestWord = 40;
const shortestSound = 4;

/** The words of the tables that a token means; itself if it means none. */
function meantBy(token: string): string[] {
  if (token.length > longestWord || /^\d/.test(token)) return [token];
  for (const form of [token, drawn(token, 2), drawn(token, 1)]) {
    const full = short.get(form);
    if (full) return full;
    if (isKnown(form)) return [form];
  }
  const form = drawn(token, 1);
  if (/\d/.test(form) || form.length < shortestSound) return [form];
  const near = vocabulary.nearest(form);
  if (near === undefined) return [form];
  const sounds = fold(near) === fold(form);
  return (sounds && fold(form).length >= shortestSound) ||
    (form.length >= shortestSlip && near[0] === form[0])
    ? [near]
    : [form];
}

/** `ouiiii` has one letter drawn out. */
function drawn(token: string, most: number): string {
  const letters = [...token];
  const starts = (n: number) => letters[n] !== letters[n - 1];
  const long = (n: number) => {
    let from = n;
    while (from > 0 && !starts(from)) from--;
    let to = n;
    while (to + 1 < letters.length && !starts(to + 1)) to++;
    return to - from < 2 || n - from < most;
  };
  return letters.filter((_, n) => long(n)).join('');
}

const numberOf = (word: string): number | undefined =>
  /^\d{1,2}$/.test(word) ? Number(word) : numbers.get(word);

/** The stall's number: not that of a model ("iPhone 12") or a measure ("64 Go"). */
function stallAt(
  tokens: readonly Token[],
): { from: number; to: number; number: number } | undefined {
  for (const [at, { word, kind }] of tokens.entries()) {
    const first = kind === 'word' ? numberOf(word) : undefined;
    if (first === undefined) continue;
    const more =
      /^\d/.test(word) || first < 20 ? undefined : numbers.get(tokens[at + 1]?.word ?? '');
    const to = at + (more !== undefined && more < 10 ? 2 : 1);
    const number = to > at + 1 ? first + (more as number) : first;
    if (!isSlot(number) || units.has(tokens[to]?.word ?? '')) continue;
    const before = tokens[at - 1]?.word;
    const named = /^\d/.test(word)
      ? before === undefined || (isKnown(before) && !goods.has(before))
      : before !== undefined && (first === 1 || first === 9 ? labels : namers).has(before);
    if (named) return { from: at, to, number };
  }
  return undefined;
}
