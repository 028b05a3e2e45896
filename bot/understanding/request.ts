import type { Command } from '../../api/shared/commands.ts';
import { alertPaces } from '../../db/vocabularies.ts';
import { dictionaries } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { deepLinkOf, payloadIn } from './deepLink.ts';
import { categoryIn, type Query, queryIn } from './query.ts';
import type { State } from './state.ts';
import { means } from './stop.ts';
import { groups } from './table.ts';
import { type SentenceIntent, type Understood, understand } from './understand.ts';
import { commandIn, hasTrait, languageIn, type Said, tokensOf } from './words.ts';

/** An intent: a command, or something that only sentences ask for. */
export type Intent =
  | Command
  | 'greeting'
  | 'thanks'
  | 'human'
  | 'priceOf'
  | 'available'
  | 'search'
  | 'scam'
  | 'selling'
  | 'stop'
  | 'unknown';

/**
 * `text` as typed, `words` normalized; `query` is set for searches, `unsure` where its words name no
 * goods that are known.
 */
export type Args = { text: string; words: string[]; query?: Query; unsure?: boolean };
type Pace = (typeof alertPaces)[number];
export type Request = { intent: Intent; args: Args };

/** Commands whose words also begin ordinary sentences ("prix du 12"). */
const loose: ReadonlySet<Command> = new Set([
  'contact',
  'disown',
  'find',
  'help',
  'listing',
  'market',
  'more',
  'morning',
  'price',
  'relist',
  'reopen',
  'report',
  'show',
  'sold',
  'start',
  'withdraw',
]);

/** Alone, these mean the card or the listing shown last. */
const aboutCard: ReadonlySet<Command> = new Set(['contact', 'sold', 'relist', 'withdraw', 'show']);

/** True for a command as the help shows it: alone, or before a number or a code. */
export const isPlain = ({ command, rest }: Said): boolean =>
  rest.length === 0 ||
  (command === 'link' ? isCode(rest) : !loose.has(command)) ||
  rest.every(
    (word, n) =>
      isReference(word) || ((n > 0 || command === 'morning') && means(word) !== undefined),
  );
/** A code to link a chat, in one word or two. */
const isCode = (words: readonly string[]): boolean =>
  words.length < 3 && /^\w{6,10}$/.test(words.join(''));
const isReference = (word: string): boolean => /^(?:\d{1,9}|[0-9a-f]{8}|[0-9a-f]{32})$/.test(word);

/** Questions that are answered in free words: a yes, no or back counts only as the help shows it. */
const free: ReadonlySet<string> = new Set(['reason', 'note', 'why', 'code', 'draft']);

/**
 * The command in a text, among those of the writer's role, or its yes, no or back, with the question
 * that is open.
 */
export function saidIn(
  text: string,
  { awaits, card }: State,
  role?: 'moderator' | 'admin',
): Said | undefined {
  const command = commandIn(
    text,
    (one) =>
      (role === 'admin' || !hasTrait(one, 'admin')) &&
      (role !== undefined || !hasTrait(one, 'team')),
  );
  const takesShort = !awaits || !free.has(awaits.kind);
  const plain = command?.exact && isPlain(command);
  return plain || !takesShort ? command : (shortAnswer(text, card) ?? command);
}

/** Yes, no and back, as people write them. */
function shortAnswer(text: string, card: State['card']): Said | undefined {
  const { intent } = understand(text, { card: card?.slot });
  return intent === 'yes' || intent === 'no' || intent === 'back'
    ? { command: intent, rest: [], exact: true }
    : undefined;
}

const asks = (intent: Intent, ...words: string[]): Request => ({
  intent,
  args: { text: words.join(' '), words },
});

/** The request of a deep link; undefined for a text that is none. */
export function linkedRequest(text: string): Request | undefined {
  const payload = payloadIn(text);
  if (payload === undefined) return undefined;
  const { command, words = [] } = deepLinkOf(payload);
  return asks(command, ...words);
}

/** The request in a text that answers no question. */
export function requestIn(text: string, said: Said | undefined, { card }: State): Request {
  if (/^#?\s?\d{1,2}$/.test(text)) return asks('show', text.replace(/\D/g, ''));
  const ofCard = said && aboutCard.has(said.command) && said.rest.length === 0;
  if (said?.exact && (said.command === 'alert' || said.command === 'paceAlert')) {
    const rest = restOf(text, said);
    const [first = ''] = said.rest;
    const pace = said.command === 'paceAlert' ? paceIn(first) : undefined;
    if (pace) return asks('paceAlert', pace, ...said.rest.slice(1));
    if (said.rest.some((word) => !isReference(word))) return alertOf(text, rest);
  }
  if (said && isPlain(said) && !ofCard)
    return { intent: said.command, args: { text: restOf(text, said), words: said.rest } };
  return sentenceOf(understand(text, { card: card?.slot }), text, card);
}

/** The text behind its command, as typed: "50.000" is one word of two tokens. */
function restOf(text: string, { rest }: Said): string {
  const words = text.split(/\s+/);
  for (let left = tokensOf(text).length - rest.length; left > 0 && words.length > 0; )
    left -= tokensOf(words.shift() as string).length;
  return words.join(' ') || rest.join(' ');
}

const ownIntent = { renew: 'relist', sold: 'sold', withdraw: 'withdraw' } as const;
const stallIntent = {
  contact: 'contact',
  price: 'priceOf',
  available: 'available',
  show: 'show',
} as const;
const bare = {
  thanks: 'thanks',
  help: 'help',
  human: 'human',
  browse: 'market',
  sell: 'sell',
  selling: 'selling',
  balance: 'balance',
  responses: 'responses',
  stop: 'stop',
  yes: 'yes',
  no: 'no',
  back: 'back',
} as const satisfies Partial<Record<SentenceIntent, Intent>>;

function sentenceOf(meant: Understood, text: string, card: State['card']): Request {
  const { intent, number, words, price } = meant;
  const numbered = number === undefined ? [] : [String(number)];
  const code = card && card.slot === number ? [card.code] : [];
  const canceled = intent === 'alert' ? canceledIn(text) : undefined;
  switch (intent) {
    case 'greeting':
      return words.length > 0 ? searchOf('greeting', meant, text) : asks('greeting');
    case 'search':
      return searchOf('search', meant, text);
    case 'alert':
      return canceled ? asks('endAlert', ...canceled) : searchOf('alert', meant, text);
    case 'contact':
    case 'price':
    case 'available':
    case 'show':
      // About a stall by its number or "it"; about a product by its name.
      return number === undefined && (words.length > 0 || price)
        ? searchOf('search', meant, text)
        : asks(stallIntent[intent], ...numbered, ...code);
    case 'scam':
      return number === undefined ? asks('scam') : asks('report', ...numbered, ...code);
    case 'status':
      return asks(number === undefined ? 'mine' : 'listing', ...numbered);
    case 'renew':
    case 'sold':
    case 'withdraw':
      return asks(ownIntent[intent], ...numbered);
    case 'resume':
      return asks('notices', 'on');
    case 'language': {
      const named = text.split(/\s+/).find((word) => word.length > 2 && languageIn(word));
      return asks('language', ...(named ? [named] : []));
    }
    case 'unknown':
      return {
        intent,
        args: { text, words, ...(words.length > 0 && { query: { ...queryIn(text), words } }) },
      };
    default:
      return asks(bare[intent]);
  }
}

/** "Cancel my alert for the laptop": the words behind, or undefined. */
function canceledIn(text: string): string[] | undefined {
  const words = tokensOf(text);
  const at = words.findIndex((word) => /^alerts?$|^alertes?$/.test(word));
  const before = words.slice(Math.max(0, at - 3), at);
  const cancels = before.some((word) => groups.get('cancel')?.has(word));
  return at > 0 && cancels ? words.slice(at + 1) : undefined;
}

/** How often an alert tells, by a word of any language. */
function paceIn(word: string): Pace | undefined {
  const fits = (pace: Pace) =>
    pace === word ||
    languages.some((language) =>
      tokensOf(dictionaries[language].bot.alert.paces[pace]).includes(word),
    );
  return alertPaces.find(fits);
}

/** Words after which a command goes on as a sentence ("alert me when…"). */
const goesOn = new Set('me us moi nous when whenever if quand si lorsque lorsqu des'.split(' '));

/** The alert of a command: a category, words and prices as written, or a sentence. */
function alertOf(text: string, rest: string): Request {
  if (means(tokensOf(rest).join(' ')) !== undefined) return asks('alert', rest);
  if (goesOn.has(tokensOf(rest)[0] ?? '')) {
    const whole = understand(text);
    return searchOf('alert', whole.intent === 'alert' ? whole : understand(rest), text);
  }
  const category = categoryIn(rest);
  const query: Query = category ? { category } : queryIn(rest);
  return { intent: 'alert', args: { text, words: tokensOf(rest), query } };
}

function searchOf(intent: Intent, { words, price, namesGoods }: Understood, text: string): Request {
  const { lane } = queryIn(text);
  const query: Query = {
    ...(words.length > 0 && { words: words.slice(0, 8) }),
    ...price,
    ...(lane && { lane }),
  };
  return { intent, args: { text, words, query, ...(!namesGoods && { unsure: true }) } };
}
