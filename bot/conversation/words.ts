import { type Command, typed } from '../../api/core/commands.ts';
import { normalized } from '../../api/core/search.ts';
import { dictionaries } from '../../locales/index.ts';
import { type Language, languages } from '../../locales/languages.ts';

export { type Command, typed };

const commands = Object.keys(dictionaries.en.bot.words) as Command[];

type Phrase = { command: Command; language: Language; tokens: string[] };
const phrasesIn = (language: Language): Phrase[] =>
  commands.flatMap((command) =>
    dictionaries[language].bot.words[command]
      .split(',')
      .map((words) => ({ command, language, tokens: tokensOf(words) })),
  );

export const tokensOf = (text: string): string[] => normalized(text).split(' ').filter(Boolean);

/** Every phrase of every language, the longest first: whoever reads in one may write in another. */
const phrases = languages
  .flatMap(phrasesIn)
  .sort((one, other) => other.tokens.length - one.tokens.length);

export type Said = { command: Command; rest: string[]; exact: boolean };

/** Said alone: with more behind them they are words of something else, a note or a product. */
const alone = new Set<Command>([
  'start',
  'help',
  'more',
  'mine',
  'balance',
  'statement',
  'responses',
  'signIn',
  'unlink',
  'yes',
  'no',
  'skip',
  'join',
  'anew',
  'sell',
  'back',
  'same',
  'done',
  'submit',
  'discard',
  'health',
]);

/** What admins alone can say. To everybody else these are words like any other. */
export const adminCommands: ReadonlySet<Command> = new Set([
  'pending',
  'approve',
  'reject',
  'reports',
  'dismiss',
  'remove',
  'health',
]);

/**
 * The command that a text begins with. A word that was nearly hit counts when nothing but figures follows: "markt", "montrer 12"; in a longer text it is a
 * word to look for.
 * @param knows whether a command is one for whoever writes; the others are not understood
 */
export function commandIn(
  text: string,
  knows: (command: Command) => boolean = () => true,
): Said | undefined {
  const tokens = tokensOf(text);
  const at = (near: boolean) =>
    phrases.find(
      (phrase) =>
        phrase.tokens.length > 0 &&
        knows(phrase.command) &&
        (alone.has(phrase.command)
          ? phrase.tokens.length === tokens.length
          : phrase.tokens.length <= tokens.length) &&
        phrase.tokens.every((token, n) =>
          near ? isNear(token, tokens[n] as string) : token === tokens[n],
        ) &&
        (!near || tokens.slice(phrase.tokens.length).every((token) => /\d/.test(token))),
    );
  const exact = at(false);
  const found = exact ?? at(true);
  return (
    found && {
      command: found.command,
      rest: tokens.slice(found.tokens.length),
      exact: exact !== undefined,
    }
  );
}

/** Whether somebody may have meant a word: one slip from five letters on, two from nine on. */
export function isNear(word: string, given: string): boolean {
  if (word === given) return true;
  const slips = word.length >= 9 ? 2 : word.length >= 5 ? 1 : 0;
  return (
    slips > 0 &&
    Math.abs(word.length - given.length) <= slips &&
    distance(word, given, slips) <= slips
  );
}

/** Letters to change, add, leave out or swap with their neighbour (Damerau and Levenshtein); more than `most` reads as one more. */
function distance(one: string, other: string, most: number): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, n) => n);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      let least = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + same,
      );
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, (before[j - 2] as number) + 1);
      row.push(least);
    }
    if (Math.min(...row) > most) return most + 1;
    [before, last] = [last, row];
  }
  return last[other.length] as number;
}

/** The language that a text names: by its number in the question, its code, or a name that its own file gives it. */
export function languageIn(text: string): Language | undefined {
  const said = tokensOf(text).join(' ');
  return languages.find(
    (language, n) =>
      said === String(n + 1) ||
      dictionaries[language].bot.languageName
        .split(',')
        .some((name) => tokensOf(name).join(' ') === said),
  );
}
