import { fold } from '../../api/search/fold.ts';
import { amountsIn } from '../../api/shared/price.ts';
import { hasMeasure, isDenied, markPhones, type Stall, stallIn, type Token } from './numbers.ts';
import {
  contrasts,
  goods,
  groups,
  isKnown,
  labels,
  negators,
  sellers,
  short,
  signs,
  vocabulary,
} from './table.ts';
import { tokensOf } from './words.ts';

const longestText = 300;
const mostTokens = 40;

/** `measured`: a number is a size, an age or an hour. */
export type Heard = { tokens: Token[]; stall?: Stall; asks: boolean; measured: boolean };

/**
 * Splits a message into words, without accents, long drawn letters, short forms and slips, and finds
 * out what its numbers are.
 * @param hasCard true if a stall was shown before
 */
export function heardIn(text: string, hasCard = false): Heard {
  const cut = text.slice(0, longestText);
  const tokens = clausesOf(cut)
    .flatMap((words, clause) => words.flatMap(parted).map((given) => ({ given, clause })))
    .slice(0, mostTokens)
    .flatMap(({ given, clause }): Token[] =>
      knownWords(given).map((word) => ({ given, word, clause, kind: 'word' })),
    )
    .filter(({ word }, n, all) => word !== 'est' || all[n - 1]?.word !== 'est');
  markClauses(tokens);
  markPhones(tokens);
  for (const { from, to, sure, value } of amountsIn(
    tokens.map(({ word, kind }) => (kind === 'word' ? word : '')),
  ))
    if (sure || value > 99) for (const token of tokens.slice(from, to)) token.kind = 'price';
  const stall = stallIn(tokens, hasCard);
  if (stall) {
    for (const token of tokens.slice(stall.from, stall.to)) token.kind = 'number';
    for (let at = stall.from - 1; at >= 0 && labels.has((tokens[at] as Token).word); at--)
      (tokens[at] as Token).kind = 'label';
  }
  markDenied(tokens);
  const asks = cut.includes('?');
  return { tokens, asks, measured: hasMeasure(tokens), ...(stall ? { stall } : {}) };
}

/** A word such as "but" begins another part. */
function markClauses(tokens: readonly Token[]): void {
  let more = 0;
  let denies = false;
  for (const token of tokens) {
    // "No be this person na 6": Pidgin's "it is" turns from what was denied.
    if (contrasts.has(token.word) || (denies && token.word === 'na')) more++;
    denies = negators.has(token.word) || (denies && token.word !== 'na');
    token.clause += more;
  }
}

/**
 * Takes away what a sentence denies: that its writer sells, and goods beside those that are wanted
 * ("not the phone, the charger").
 */
function markDenied(tokens: readonly Token[]): void {
  const denied = tokens.filter(
    ({ word, kind }, at) =>
      kind === 'word' &&
      (isDenied(tokens, at) ? deniable(word) : sellers.has(word) && isNotDone(tokens, at)),
  );
  const left = tokens.some(
    (token) => goods.has(token.word) && token.kind === 'word' && !denied.includes(token),
  );
  for (const token of denied) if (left || !goods.has(token.word)) token.kind = 'denied';
}

const deniable = (word: string): boolean =>
  sellers.has(word) || goods.has(word) || Boolean(groups.get('reach')?.has(word));
/** "Je vends pas." */
const isNotDone = (tokens: readonly Token[], at: number): boolean =>
  tokens[at + 1]?.word === 'pas' && tokens[at + 1]?.clause === tokens[at]?.clause;

/** The words of each part of a sentence. */
function clausesOf(text: string): string[][] {
  const clauses = text.split('\n').flatMap((line) => line.split(/[,;:.!?](?=\s|$)/).map(wordsOf));
  return clauses.some((words) => words.length > 0) ? clauses : [signsIn(text)];
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

/** `du12` and `lemplacement` are several words; `a14` and `ps5` are one. */
function parted(token: string): string[] {
  const [, letters = '', digits = ''] = /^([a-z]{2,24})(\d{1,2})$/.exec(token) ?? [];
  if (digits !== '') {
    if (goods.has(letters) || goods.has(token)) return [token];
    const words = isKnown(letters) ? [letters] : unglued(letters, mostGlued, false);
    return words ? [...words, digits] : [token];
  }
  const isOne = token.length < shortestGlued || token.length > longestGlued;
  return isOne || short.has(token) || knownWords(token)[0] !== token || isKnown(token)
    ? [token]
    : (unglued(token) ?? [token]);
}
const isPiece = (word: string): boolean =>
  isKnown(word) && (word.length > 2 || shortPieces.has(word));
const shortPieces = new Set('i a l d le la de du je un to my me ca do is'.split(' '));
const beginnings = new Set(
  'l d le la du un une i je a the my show open see how comment combien voir ouvre montre'.split(
    ' ',
  ),
);
const begins = (word: string): boolean =>
  beginnings.has(word) || (word.length > 2 && short.has(word));
const shortestGlued = 7;
const longestGlued = 24;
const mostGlued = 5;

/** Known words written as one, the fewest, after a word that often is. */
function unglued(text: string, most = mostGlued, isFirst = true): string[] | undefined {
  if (isPiece(text) && !isFirst) return [text];
  let best: string[] | undefined;
  if (most > 1)
    for (let length = 1; length < text.length; length++) {
      const word = text.slice(0, length);
      if (isFirst ? !begins(word) : !isPiece(word)) continue;
      const rest = unglued(text.slice(length), Math.min(most, best?.length ?? most) - 1, false);
      if (rest && (!best || rest.length + 1 < best.length)) best = [word, ...rest];
    }
  const isReal = !isFirst || best?.some((word) => word.length > 3);
  return isReal ? best : undefined;
}

const shortestSlip = 5;
const longestWord = 40;
const shortestSound = 4;

/** People write the same words again and again; emptied when full. */
const remembered = new Map<string, string[]>();
const mostRemembered = 5000;

/** The words of the tables that a token means; itself if it means none. */
function knownWords(token: string): string[] {
  const known = remembered.get(token);
  if (known) return known;
  if (remembered.size >= mostRemembered) remembered.clear();
  const words = wordsLookedUp(token);
  remembered.set(token, words);
  return words;
}

function wordsLookedUp(token: string): string[] {
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
