import { type Command, typed } from '../../api/shared/commands.ts';
import { normalized } from '../../api/shared/search.ts';
import { dictionaries } from '../../locales/index.ts';
import { type Language, languages } from '../../locales/languages.ts';

export { type Command, typed };

export const commands = Object.keys(dictionaries.en.bot.words) as Command[];

type Phrase = { command: Command; language: Language; tokens: string[] };
const phrasesIn = (language: Language): Phrase[] =>
  commands.flatMap((command) =>
    dictionaries[language].bot.words[command]
      .split(',')
      .map((words) => ({ command, language, tokens: tokensOf(words) })),
  );

export const tokensOf = (text: string): string[] => normalized(text).split(' ').filter(Boolean);

/** All languages, longest phrase first: a person may read one language and write another. */
const phrases = languages
  .flatMap(phrasesIn)
  .sort((one, other) => other.tokens.length - one.tokens.length);

export type Said = { command: Command; rest: string[]; exact: boolean };

type Trait = 'alone' | 'own' | 'shows' | 'team' | 'admin';

/**
 * How each command is read. `alone`: with more words it is part of a note or a product. `own`: it
 * means the same whatever is asked or shown, because it reads or asks before it acts. `shows`: it
 * only shows or asks, so a tap on it harms nobody. `team` and `admin`: for anyone but moderators and
 * admins, or but admins, it is ordinary words.
 */
const traits: Record<Command, readonly Trait[]> = {
  start: ['alone', 'own', 'shows'],
  help: ['alone', 'own', 'shows'],
  language: ['own', 'shows'],
  market: ['own', 'shows'],
  premium: ['own', 'shows'],
  standard: ['own', 'shows'],
  categories: ['own', 'shows'],
  places: ['own', 'shows'],
  price: ['own', 'shows'],
  find: ['own', 'shows'],
  more: ['alone', 'shows'],
  show: ['own', 'shows'],
  contact: ['own', 'shows'],
  report: ['own', 'shows'],
  alert: ['own'],
  follow: ['own'],
  pauseAlert: ['own'],
  resumeAlert: ['own'],
  paceAlert: ['own'],
  endAlert: ['own'],
  post: ['own', 'shows'],
  mine: ['alone', 'own', 'shows'],
  listing: ['own', 'shows'],
  picture: ['own', 'shows'],
  payFee: ['own'],
  relist: ['own'],
  sold: ['own'],
  withdraw: ['own'],
  verify: ['shows'],
  balance: ['alone', 'own', 'shows'],
  statement: ['alone', 'own', 'shows'],
  responses: ['alone', 'own', 'shows'],
  link: ['shows'],
  signIn: ['alone', 'own'],
  unlink: ['alone'],
  terms: ['own'],
  reopen: [],
  disown: [],
  notices: ['own'],
  morning: ['own'],
  yes: ['alone'],
  no: ['alone'],
  skip: ['alone'],
  pending: ['own', 'shows', 'team'],
  approve: ['team'],
  reject: ['team'],
  reports: ['own', 'shows', 'team'],
  dismiss: ['team'],
  remove: ['team'],
  health: ['alone', 'own', 'shows', 'admin'],
  moderator: ['own', 'shows', 'admin'],
  endModerator: ['own', 'shows', 'admin'],
  removePhoto: [],
  join: ['alone', 'shows'],
  anew: ['alone'],
  sell: ['alone', 'own', 'shows'],
  myDraft: ['alone'],
  freshDraft: [],
  back: ['alone'],
  change: [],
  same: ['alone'],
  done: ['alone'],
  submit: ['alone'],
  discard: ['alone'],
};
export const hasTrait = (command: Command, trait: Trait): boolean =>
  traits[command].includes(trait);

/**
 * The command that a text begins with. A misspelt one counts only before numbers ("markt", "montrer
 * 12"); else it may be a search.
 * @param knows false for commands the writer may not use
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
        (hasTrait(phrase.command, 'alone')
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

/** The words behind a tapped command that acts; undefined for all other texts. */
export function tappedIn(text: string): string | undefined {
  if (!/^\/[a-z0-9_]/i.test(text)) return undefined;
  const said = commandIn(text);
  if (!said?.exact || hasTrait(said.command, 'shows')) return undefined;
  return text.slice(1, 120).replaceAll('_', ' ').trim();
}

/** True for a likely misspelling: one slip from five letters on, two from nine on. */
export function isNear(word: string, given: string): boolean {
  if (word === given) return true;
  const slips = word.length >= 9 ? 2 : word.length >= 5 ? 1 : 0;
  return (
    slips > 0 &&
    Math.abs(word.length - given.length) <= slips &&
    distance(word, given, slips) <= slips
  );
}

/** Damerau-Levenshtein distance, which stops at `most` + 1. */
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

/** The language named by its number in the question, its code, or a name from its dictionary. */
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
