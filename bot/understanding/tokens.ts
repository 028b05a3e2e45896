import { fold } from '../../api/search/fold.ts';
import { amountsIn } from '../../api/shared/price.ts';
import { isSlot } from '../../api/shared/slots.ts';
import { tokensOf } from '../conversation/words.ts';
import { goods, known, namers, numbers, short, signs, small, units, vocabulary } from './table.ts';

const longestText = 300;
const mostTokens = 40;

export const isKnown = (word: string): boolean =>
  [...known.values()].some((words) => words.has(word));

/** `given` as written, `word` as understood. A price or a number of a stall is no word. */
export type Token = { given: string; word: string; kind: 'word' | 'price' | 'number' };
export type Heard = { tokens: Token[]; number?: number; asks: boolean };

/** Splits a message into words, without accents, long drawn letters, short forms and slips. */
export function heardIn(text: string): Heard {
  const cut = text.slice(0, longestText);
  const words = wordsOf(cut);
  const given = (words.length > 0 ? words : signsIn(cut)).slice(0, mostTokens).flatMap(parted);
  const tokens = given.flatMap((one): Token[] => meantBy(one).map((word) => tokenOf(one, word)));
  for (const { from, to, sure, value } of amountsIn(tokens.map(({ word }) => word)))
    if (sure || value > 99)
      for (const token of tokens.slice(from, to)) token.kind = 'price';
  const at = stallAt(tokens);
  if (at !== undefined) (tokens[at] as Token).kind = 'number';
  const number = at === undefined ? undefined : valueOf((tokens[at] as Token).word);
  return { tokens, asks: cut.includes('?'), ...(number === undefined ? {} : { number }) };
}

const tokenOf = (given: string, word: string): Token => ({ given, word, kind: 'word' });

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
const shortestSound = 4;

/** The words of the tables that a token means; itself if it means none. */
function meantBy(token: string): string[] {
  for (const form of [token, drawn(token, '$1$1'), drawn(token, '$1')]) {
    const full = short.get(form);
    if (full) return full;
    if (isKnown(form)) return [form];
  }
  const form = drawn(token, '$1');
  if (/\d/.test(form) || form.length < shortestSound) return [form];
  const near = vocabulary.nearest(form);
  if (near === undefined) return [form];
  const sounds = fold(near) === fold(form);
  return sounds || (form.length >= shortestSlip && near[0] === form[0]) ? [near] : [form];
}

/** `ouiiii` has one letter drawn out. */
const drawn = (token: string, by: string): string => token.replaceAll(/(\p{L})\1{2,}/gu, by);

const valueOf = (word: string): number | undefined =>
  /^\d{1,2}$/.test(word) ? Number(word) : numbers.get(word);

/** The place of a stall's number: not of a model ("iPhone 12") or a measure ("64 Go"). */
function stallAt(tokens: readonly Token[]): number | undefined {
  const couldBe = (at: number): boolean => {
    const { word, kind } = tokens[at] as Token;
    const value = valueOf(word);
    if (kind !== 'word' || value === undefined || !isSlot(value)) return false;
    if (units.has(tokens[at + 1]?.word ?? '')) return false;
    const before = tokens[at - 1]?.word;
    if (!/^\d/.test(word)) return before !== undefined && namers.has(before);
    return before === undefined || (isKnown(before) && !goods.has(before)) || small.has(before);
  };
  const found = tokens.findIndex((_, at) => couldBe(at));
  return found === -1 ? undefined : found;
}
