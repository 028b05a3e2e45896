import { vocabularyOf } from '../../api/search/slips.ts';
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
  'sell',
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
export const goods = union((table) => table.goods).difference(small);
export const numbers = new Map(each((table) => Object.entries(table.numbers)));
export const signs = new Map(each((table) => Object.entries(table.signs)));
export const short = new Map(
  each((table) =>
    Object.entries(table.short).map(([form, words]): [string, string[]] => [
      form.normalize('NFC').toLowerCase(),
      tokensOf(words),
    ]),
  ),
);

const groups = new Map<string, Set<string>>();
for (const [name, words] of each((table) => Object.entries(table.groups)))
  groups.set(name, (groups.get(name) ?? new Set()).union(new Set(wordsIn(words))));

/** One place of a pattern: some words, or the number of a stall. */
export type Part = ReadonlySet<string> | '#';
/** `whole`: nothing but polite words beside it. `asks`: with a question mark only. */
export type Pattern = { parts: Part[]; weight: number; whole: boolean; asks: boolean };

const weights = [0, 2, 4, 5];

/**
 * Reads a pattern: words in order, `<group>` for any of its words, `#` for a number, `=` for the
 * whole message, `?` for a question, `~` for a weak sign.
 */
function patternOf(text: string): Pattern {
  const whole = text.startsWith('=');
  const weak = text.endsWith('~');
  const given = text.replace(/^=|~$/g, '').trim().split(' ');
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
  return { parts, weight, whole, asks };
}

const patternsOf = (texts: string[]): Pattern[] => [...new Set(texts)].map(patternOf);
export const patterns = new Map(
  intents.map((intent) => [intent, patternsOf(each((table) => table.intents[intent]))]),
);
export const seek = patternsOf(each((table) => table.seek));

const literal = (text: string): string[] => tokensOf(text.replaceAll(/<\w+>|[#=~?]/g, ' '));
function knownIn(language: Language): Set<string> {
  const table = tables.get(language) as Table;
  const commands = Object.values(dictionaries[language].bot.words).flatMap(wordsIn);
  const lists = [table.small, table.goods, table.polite, table.namers, table.labels];
  return new Set([
    ...commands,
    ...lists.flatMap(wordsIn),
    ...Object.values(table.groups).flatMap(wordsIn),
    ...Object.keys(table.short).flatMap(tokensOf),
    ...Object.keys(table.numbers),
    ...[...Object.values(table.intents).flat(), ...table.seek].flatMap(literal),
  ]);
}
/** Every word of the tables, by its language. */
export const known = new Map(languages.map((language) => [language, knownIn(language)]));
export const vocabulary = vocabularyOf(
  new Map([...known.values()].flatMap((words) => [...words].map((word) => [word, 1] as const))),
);
