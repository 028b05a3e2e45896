import { slipsBetween } from '../../api/search/slips.ts';
import { isSlot } from '../../api/shared/slots.ts';
import {
  goods,
  groups,
  isKnown,
  labels,
  larger,
  measures,
  namers,
  negators,
  numbers,
  polite,
  units,
} from './table.ts';

/**
 * `given` as written, `word` as understood, `clause` the part of the sentence. Only `word` tokens
 * are words: a price, a stall's number and its label, and what the sentence denies are none.
 */
export type Token = {
  given: string;
  word: string;
  clause: number;
  kind: 'word' | 'price' | 'number' | 'label' | 'denied' | 'other';
};
/**
 * A stall named in a sentence: alone in the message, after a word for a stall ("number 7"), after
 * an article ("du 12"), or bare, which counts with an intent that needs a stall.
 */
export type Stall = { number: number; from: number; to: number; by: (typeof surest)[number] };
/** The surest first. */
const surest = ['alone', 'label', 'namer', 'bare'] as const;

const fewestPhoneDigits = 7;
const mostLookedBack = 3;
const mostDenied = 7;
/** Their words mean other things too ("un", "neuf"). */
const ambiguous: ReadonlySet<number> = new Set([1, 9]);

/** Marks the digits of telephone numbers, which are neither stalls nor words. */
export function markPhones(tokens: readonly Token[]): void {
  for (let from = 0; from < tokens.length; from++) {
    let to = from;
    while (/^\d+$/.test(tokens[to]?.word ?? '')) to++;
    const run = tokens.slice(from, to);
    const digits = run.reduce((sum, { word }) => sum + word.length, 0);
    if (digits >= fewestPhoneDigits && (run.length > 2 || digits > 8))
      for (const token of run) token.kind = 'other';
    from = Math.max(from, to);
  }
}

/** The number that begins at a token, in digits or words, and the place behind it. */
function numberAt(tokens: readonly Token[], at: number) {
  const words = tokens.slice(at, at + 3).map(({ word, kind }) => (kind === 'word' ? word : ' '));
  if (/^\d{1,3}$/.test(words[0] ?? ''))
    return { value: Number(words[0]), from: at, to: at + 1, inWords: false };
  for (const length of [3, 2, 1]) {
    const value = numbers.get(words.slice(0, length).join(' '));
    if (value === undefined || words.length < length) continue;
    // "Fifty for" may be 54 or 50.
    if (length === 1 && value >= 20 && homophones.has(words[1] ?? '')) return undefined;
    const ones = length === 1 && value >= 20 ? onesIn(words[1]) : 0;
    return { value: value + ones, from: at, to: at + length + (ones > 0 ? 1 : 0), inWords: true };
  }
  return undefined;
}
const homophones = new Set(['for', 'to', 'too', 'won', 'ate']);

/** The unit behind a ten, however it is misspelt ("twenty sevn"); 0 if there is none. */
function onesIn(word = ''): number {
  if (word.length < 3 || isKnown(word)) return 0;
  for (const [name, value] of numbers)
    if (value < 10 && name.length > 2 && slipsBetween(word, name, 1) <= 1) return value;
  return 0;
}

type Found = NonNullable<ReturnType<typeof numberAt>>;

/** The stall that a sentence names; undefined if its numbers count something else. */
export function stallIn(tokens: readonly Token[], hasCard: boolean): Stall | undefined {
  const stalls: Stall[] = [];
  const others: Stall[] = [];
  let corrects = false;
  let measured = false;
  for (let at = 0; at < tokens.length; at++) {
    const number = numberAt(tokens, at);
    if (!number) continue;
    const by = naming(tokens, number, hasCard);
    const { value, from, to } = number;
    measured ||= isMeasured(tokens, from) || units.has(tokens[to]?.word ?? '');
    if (isDenied(tokens, from) || isTakenBack(tokens, to)) corrects = true;
    // "I wear 43 but 44 fits": a size makes the others sizes.
    else if (by && !(by === 'bare' && measured)) stalls.push({ number: value, from, to, by });
    else if (isSlot(value)) others.push({ number: value, from, to, by: 'label' });
    at = to - 1;
  }
  const [stall] = stalls.sort((one, other) => surest.indexOf(one.by) - surest.indexOf(other.by));
  // "Not eight, eighteen" names a stall by denying another.
  if (corrects) return stall ? { ...stall, by: 'label' } : measured ? undefined : others[0];
  return stall;
}

/** True for a number taken back, with another to come: "le 13 non, le 31", "12, no sorry, 21". */
const isTakenBack = (tokens: readonly Token[], to: number): boolean =>
  tokens.slice(to, to + 3).some(({ word }) => corrections.has(word)) &&
  tokens.some((_, at) => at > to && numberAt(tokens, at) !== undefined);
const corrections = new Set(['non', 'no', 'pardon', 'sorry', 'plutot', 'rather', 'oops', 'wait']);

function naming(
  tokens: readonly Token[],
  { value, from, to, inWords }: Found,
  hasCard: boolean,
): Stall['by'] | undefined {
  const [before, after] = [tokens[from - 1]?.word, tokens[to]?.word];
  const isLabelled = before !== undefined && labels.has(before);
  // A number that no stall has is answered as one only where it is called a stall.
  if (!isSlot(value) && (inWords || !isLabelled)) return undefined;
  if (
    isTime(tokens, to) ||
    units.has(after ?? '') ||
    [before, after].some((word) => larger.has(word ?? ''))
  )
    return undefined;
  if (isMeasured(tokens, from)) return undefined;
  if (isLabelled) return 'label';
  if (hasCard && (isDate(tokens, { from, to }) || before === 'son')) return undefined;
  const slips = inWords && tokens.slice(from, to).some(({ given, word }) => given !== word);
  const unclear = inWords && ambiguous.has(value);
  const others = tokens.filter((_, n) => n < from || n >= to);
  if (!unclear && others.every(({ word }) => polite.has(word) || namers.has(word))) return 'alone';
  if (!unclear && before !== undefined && namers.has(before)) return 'namer';
  const sees = (word: string | undefined) => groups.get('see')?.has(word ?? '');
  if (inWords && (value < 10 || (slips && to === from + 1 && !sees(before)))) return undefined;
  // "Les 2", "pour 1" of the card; "en 42" is a size or a year.
  if (before === 'les' || before === 'en' || (hasCard && before === 'pour')) return undefined;
  // "3 children", "2 chairs", "iphone 12"
  const isThing = (word: string | undefined) =>
    word !== undefined && (goods.has(word) || !isKnown(word));
  if (isThing(before) || isThing(tokens[from - 1]?.given) || isThing(after)) return undefined;
  // Beside a card, "at 5" is an hour; "look at 5" is not.
  if (hasCard && before === 'at') return sees(tokens[from - 2]?.word) ? 'namer' : undefined;
  // "I want 2" of the card.
  const takes = (group: string) => before !== undefined && groups.get(group)?.has(before);
  if (hasCard && (takes('want') || takes('take') || before === 'a')) return undefined;
  return 'bare';
}

/** True for a date or an hour: "25 du mois", "5 for morning", "8 in the evening". */
const isTime = (tokens: readonly Token[], to: number): boolean =>
  linking.has(tokens[to]?.word ?? '') &&
  [to + 1, to + 2].some((at) => times.has(tokens[at]?.word ?? ''));
const linking = new Set(['du', 'de', 'of', 'in', 'for']);
const times = new Set('mois month morning evening night afternoon matin soir nuit'.split(' '));

/** "On the 3", "le 3 à Douala"; "le 3 à combien" asks for a stall's price. */
function isDate(tokens: readonly Token[], { from, to }: Pick<Found, 'from' | 'to'>): boolean {
  const [two, one] = [tokens[from - 2]?.word, tokens[from - 1]?.word];
  const [next, then = ''] = [tokens[to]?.word, tokens[to + 1]?.word];
  return (one === 'the' && two === 'on') || (one === 'le' && next === 'a' && !prices.has(then));
}
const prices = new Set(['combien', 'quel']);

/** True if a number is a size, an age or an hour. */
export const hasMeasure = (tokens: readonly Token[]): boolean =>
  tokens.some(({ word }, at) => /^\d+$/.test(word) && isMeasured(tokens, at));

/** True after a word for a size, an age or an hour: "taille 44", "je chausse du 44", "at 5". */
function isMeasured(tokens: readonly Token[], from: number): boolean {
  for (let at = from - 1; at >= Math.max(0, from - mostLookedBack); at--) {
    const { word } = tokens[at] as Token;
    if (measures.has(word)) return true;
    if (!fillers.has(word)) return false;
  }
  return false;
}
const fillers = new Set('c est is du de la le au of the na be my'.split(' '));

/** True where the words before deny what follows: "not 21", "pas le 21". */
export function isDenied(tokens: readonly Token[], at: number): boolean {
  const clause = tokens[at]?.clause;
  for (let n = at - 1; n >= Math.max(0, at - mostDenied); n--) {
    const { word, clause: other } = tokens[n] as Token;
    // A denial reaches one number: "pas le 21 le 22".
    if (other !== clause || /^\d+$/.test(word) || numbers.has(word)) return false;
    // "no 12" is short for "number 12".
    if (negators.has(word) && !(word === 'no' && n === at - 1)) return true;
  }
  return false;
}
