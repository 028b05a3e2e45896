import { vocabularyOf } from '../../api/search/slips.ts';
import { knownWords } from '../../api/search/synonyms.ts';
import { isSlot } from '../../api/shared/slots.ts';
import { dictionaries } from '../../locales/index.ts';
import { type Language, languages } from '../../locales/languages.ts';
import { tokensOf } from './words.ts';

/**
 * The table of intents: `intents.json` of each language. All languages count together, since people mix
 * them in one sentence.
 */
export const intents = [
  'greeting',
  'thanks',
  'help',
  'human',
  'contact',
  'price',
  'available',
  'show',
  'browse',
  'scam',
  'alert',
  'sell',
  'selling',
  'balance',
  'responses',
  'status',
  'renew',
  'sold',
  'withdraw',
  'stop',
  'resume',
  'language',
  'yes',
  'no',
  'back',
] as const;
export type ListedIntent = (typeof intents)[number];

type Table = {
  short: Record<string, string>;
  signs: Record<string, string>;
  small: string;
  polite: string;
  units: string;
  namers: string;
  labels: string;
  numbers: Record<string, number>;
  and: string;
  larger: string;
  measures: string;
  negators: string;
  contrasts: string;
  sellers: string;
  askers: string;
  somebody: string;
  reversals: string;
  own: string;
  goods: string;
  groups: Record<string, string>;
  intents: Record<ListedIntent, string[]>;
  seek: string[];
};

const tables = new Map<Language, Table>(
  await Promise.all(
    languages.map(
      async (language): Promise<[Language, Table]> => [
        language,
        ((await import(`../../locales/${language}/intents.json`)) as { default: Table }).default,
      ],
    ),
  ),
);

const each = <T>(read: (table: Table) => T[]): T[] => [...tables.values()].flatMap(read);
const wordsIn = (list: string): string[] => list.split(',').flatMap(tokensOf);
const union = (read: (table: Table) => string): ReadonlySet<string> =>
  new Set(each((table) => wordsIn(read(table))));

export const small = union((table) => table.small);
export const polite = union((table) => table.polite);
export const units = union((table) => table.units);
/** Words that stand before the number of a stall. */
export const namers = union((table) => table.namers);
/** Words that only say that a number follows. */
export const labels = union((table) => table.labels);
/** Words before a size, an age or an hour, whose number is no stall's. */
export const measures = union((table) => table.measures);
export const negators = union((table) => table.negators);
/** Words that begin another part of a sentence ("but"). */
export const contrasts = union((table) => table.contrasts);
/** Words that take back what was done ("by mistake"). */
export const reversals = union((table) => table.reversals);
/** Words for anybody but the writer. */
export const somebody = union((table) => table.somebody);
/** Words of a question. */
export const askers = union((table) => table.askers);
/** Words of a wish of the writer's own. */
export const own = union((table) => table.own);
/** Words by which people say that they sell, which count for nothing where they deny it. */
export const sellers = union((table) => table.sellers);
/** Words of numbers that no stall has ("soixante", "hundred"). */
export const larger = union((table) => table.larger);
/** Names of goods; of those in two words ("school bag") the last or the first is listed too. */
export const goods = new Set(
  each((table) => table.goods.split(',').map((name) => tokensOf(name).join(' '))),
)
  .union(new Set(knownWords.keys()))
  .difference(small);

/** "twenty one", "vingt et un", "twentyone": every number of a stall by its words. */
function numbersOf({ numbers, and }: Table): [string, number][] {
  const named = Object.entries(numbers);
  const ones = named.filter(([, value]) => value < 10);
  const join = (first: [string, number], others: [string, number][], between: string[]) =>
    others.flatMap(([word, value]) =>
      between.map((sign): [string, number] => [`${first[0]}${sign}${word}`, first[1] + value]),
    );
  const joined = named.flatMap((first) => {
    if (first[1] >= 20)
      return join(first, ones, [' ', '', ...wordsIn(and).flatMap((word) => [` ${word} `, word])]);
    // "dix sept": seventeen to nineteen in French.
    const high = ones.filter(([, value]) => value > 6);
    return first[1] === 10 ? join(first, high, [' ', '']) : [];
  });
  return [...named, ...joined].filter(([, value]) => isSlot(value));
}
export const numbers = new Map(each(numbersOf));
export const signs = new Map(each((table) => Object.entries(table.signs)));
export const short = new Map(
  each((table) =>
    Object.entries(table.short).map(([form, words]): [string, string[]] => [
      form.normalize('NFC').toLowerCase(),
      tokensOf(words),
    ]),
  ),
);

export const groups = new Map<string, Set<string>>();
for (const [name, words] of each((table) => Object.entries(table.groups)))
  groups.set(name, (groups.get(name) ?? new Set()).union(new Set(wordsIn(words))));

/** One place of a pattern: some words, or the number of a stall. */
export type Part = ReadonlySet<string> | '#';
/**
 * `whole`: nothing but polite words beside it. `loose`: in any order. `asks`: with a question mark
 * only. `denies`: holds a negation of its own.
 */
export type Pattern = {
  parts: Part[];
  weight: number;
  whole: boolean;
  loose: boolean;
  asks: boolean;
  denies: boolean;
};

const weights = [0, 2, 4, 5];

/**
 * Reads a pattern: words in order, `<group>` for any of its words, `#` for a number, `=` for the
 * whole message, `&` for any order and distance, `?` for a question, `~` for a weak sign.
 */
function patternOf(text: string): Pattern {
  const whole = text.startsWith('=');
  const weak = text.endsWith('~');
  const loose = text.startsWith('&');
  const given = text
    .replace(/^[=&]|~$/g, '')
    .trim()
    .split(' ');
  const asks = given.includes('?');
  const parts = given
    .filter((part) => part !== '?')
    .flatMap((part): Part[] => {
      if (part === '#') return ['#'];
      const group = /^<(\w+)>$/.exec(part)?.[1];
      if (group === undefined) return tokensOf(part).map((word) => new Set([word]));
      const words = groups.get(group);
      if (!words) throw new Error(`No group ${group} in a table of intents`);
      return [words];
    });
  const length = parts.length + (asks ? 1 : 0);
  const weight = weak
    ? Math.min(1, 0.5 + length / 4)
    : whole
      ? 3 + length / 5
      : (weights[length] ?? 6);
  const denies = parts.some((part) => part !== '#' && [...part].some((word) => negators.has(word)));
  return { parts, weight, whole, loose, asks, denies };
}

const patternsOf = (texts: string[]): Pattern[] => [...new Set(texts)].map(patternOf);

/** Patterns by the words of their first part: most cannot fit a sentence, and are not tried. */
function byFirstWord(list: readonly Pattern[]): Map<string, Pattern[]> {
  const found = new Map<string, Pattern[]>();
  for (const pattern of list) {
    const [first = '#'] = pattern.parts;
    for (const word of first === '#' ? ['#'] : first)
      found.set(word, [...(found.get(word) ?? []), pattern]);
  }
  return found;
}
export type Patterns = { all: readonly Pattern[]; byFirstWord: ReadonlyMap<string, Pattern[]> };
const indexed = (texts: string[]): Patterns => {
  const all = patternsOf(texts);
  return { all, byFirstWord: byFirstWord(all) };
};
export const patterns = new Map(
  intents.map((intent) => [intent, indexed(each((table) => table.intents[intent]))]),
);
export const seek = indexed(each((table) => table.seek));

const literal = (text: string): string[] => tokensOf(text.replaceAll(/<\w+>|[#=~?&]/g, ' '));
function knownIn(language: Language): Set<string> {
  const table = tables.get(language) as Table;
  const commands = Object.values(dictionaries[language].bot.words).flatMap(wordsIn);
  const lists = [table.small, table.goods, table.polite, table.namers, table.labels, table.units];
  const { query } = dictionaries[language].bot;
  return new Set([
    ...commands,
    ...[...lists, ...Object.values(query)].flatMap(wordsIn),
    ...Object.values(table.groups).flatMap(wordsIn),
    ...Object.keys(table.short).flatMap(tokensOf),
    ...numbersOf(table).flatMap(([words]) => words.split(' ')),
    ...[table.and, table.larger, table.measures, table.negators, table.contrasts].flatMap(wordsIn),
    ...[...Object.values(table.intents).flat(), ...table.seek].flatMap(literal),
  ]);
}
export const isKnown = (word: string): boolean =>
  [...known.values()].some((words) => words.has(word));

/** Every word of the tables, by its language. */
export const known = new Map(languages.map((language) => [language, knownIn(language)]));
export const vocabulary = vocabularyOf(
  new Map([...known.values()].flatMap((words) => [...words].map((word) => [word, 1] as const))),
);
