import { type Language, languages } from '../../locales/languages.ts';
import { opinionOn } from './classify.ts';
import { aboutOne, judged, mayAct, mayStop, meaningOf, type SentenceIntent } from './decide.ts';
import { answersAt, contentOf, type Hit, hitsOf } from './matching.ts';
import type { Token } from './numbers.ts';
import { boundsIn, categoryIn, type Query } from './query.ts';
import {
  goods,
  groups,
  intents,
  isKnown,
  known,
  type ListedIntent,
  type Patterns,
  patterns,
  seek,
} from './table.ts';
import { type Heard, heardIn } from './tokens.ts';
import { tokensOf } from './words.ts';

export type { SentenceIntent };

/**
 * `number` is the stall or listing named, or the card that "it" means. `words` are left when small
 * words and the intent's own are taken away.
 */
export type Understood = {
  intent: SentenceIntent;
  number?: number;
  price?: Pick<Query, 'min' | 'max'>;
  words: string[];
  /** True if a word left names goods, so that a search is meant. */
  namesGoods: boolean;
  /** The chat asks whether silence was meant. */
  mayStop?: true;
};

/** Intents that do not go with the name of a product. */
const alone: ReadonlySet<SentenceIntent> = new Set([
  'greeting',
  'thanks',
  'help',
  'human',
  'browse',
  'language',
  'resume',
]);
const scales: Partial<Record<SentenceIntent, number>> = {
  greeting: 0.4,
  thanks: 0.6,
  help: 0.8,
  scam: 1.6,
  selling: 1.5,
  balance: 1.5,
  stop: 1.7,
};
const mostUnknown = 3;
/** A number belongs to a question at most so many words before it. */
const farthest = 3;
const least = 0.5;
/** With these nothing is asked for again. */
const refusing = new Set(['rien', 'not', 'no', 'plus', 'pas', 'ne', 'never', 'jamais', 'dont']);

const answering: ReadonlySet<SentenceIntent> = new Set(['yes', 'no', 'back']);
const leastAnswer = 3;

/** A message is asked about up to three times: for silence, for a short answer, for its request. */
let last: { text: string; card: number | undefined; understood: Understood } | undefined;

/**
 * The intent of a message by the tables of intents, in all languages, with the slips that the
 * search forgives.
 * @param card number of the stall shown last
 */
export function understand(text: string, { card }: { card?: number | undefined } = {}): Understood {
  if (last?.text !== text || last.card !== card)
    last = { text, card, understood: understoodIn(text, card) };
  return last.understood;
}

function understoodIn(text: string, card: number | undefined): Understood {
  const said = heardIn(text, card !== undefined);
  const opinion = opinionOn({ ...said, text, hasCard: card !== undefined });
  const price = priceIn(said);
  const sought = hitsOf(seek, said);
  const rated = intents.map((intent) => {
    const list = patterns.get(intent) as Patterns;
    const hits = hitsOf(list, said);
    const left = contentOf(said, hits);
    const less = alone.has(intent) ? 0.25 * left.length : 0;
    const answers = answering.has(intent) && answersAt(list.all, said);
    const refused =
      (intent === 'resume' && said.tokens.some(({ word }) => refusing.has(word))) ||
      (intent === 'selling' && (said.stall !== undefined || price !== undefined));
    return {
      intent: intent as SentenceIntent,
      hits,
      left,
      score: refused
        ? 0
        : Math.max(answers ? leastAnswer : 0, scoreOf(intent, hits) * doubt(intent, said) - less),
    };
  });
  const wanted = contentOf(said, sought, true);
  const all = [
    ...rated,
    {
      intent: 'search' as SentenceIntent,
      hits: sought,
      left: wanted,
      score: searchScore(wanted, sought, price),
    },
  ];
  const best = all.reduce((one, other) => (other.score > one.score ? other : one));
  const ofStalls = rated.flatMap(({ intent, hits }) => (aboutOne.has(intent) ? hits : []));
  const heard =
    card !== undefined && isAside(said, ofStalls) ? { ...said, stall: undefined } : said;
  const stall = heard.stall;
  const byTable = best.score < least ? fallback(heard, wanted) : best.intent;
  const isSure = best.hits.some(({ pattern }) => pattern.whole) || heard.stall?.by === 'alone';
  const likely = isSure ? byTable : judged(byTable, opinion);
  const meaning = meaningOf(likely, rated, heard, opinion);
  const isUnsure = !isSure && meaning === likely && !mayAct(meaning, byTable, opinion);
  const found = isUnsure ? 'unknown' : meaning;
  const left = rated.find(({ intent }) => intent === found)?.left ?? wanted;
  const browses = rated.some(({ intent, score }) => intent === 'browse' && score > 0);
  const offers = price && found === 'search' && (stall?.number ?? card) !== undefined;
  const bargains = offers && !named(left) && sought.length === 0;
  const intent = bargains ? 'price' : looksFor(found, left, heard, card);
  // Beside the writer's telephone number there is nothing to look for.
  const isOwn = found === 'unknown' && heard.tokens.some(({ kind }) => kind === 'other');
  const words = isOwn
    ? []
    : intent === 'alert'
      ? namesIn(left, heard)
      : left.map(({ given }) => given);
  const meant =
    stall?.number ??
    (aboutOne.has(intent) && (intent === 'scam' || words.length === 0 || !named(left))
      ? card
      : undefined);
  return {
    intent:
      nothingNamed(intent, words, price) || (intent === 'search' && browses && categoryOf(left))
        ? 'browse'
        : intent,
    words,
    namesGoods: named(left),
    ...(meant !== undefined && intent !== 'search' ? { number: meant } : {}),
    ...(price ? { price } : {}),
    ...(mayStop(intent, opinion) ? { mayStop: true } : {}),
  };
}

/**
 * Words of an alert, which fits nothing if one is too many: names of goods, words that no table knows
 * (places, makes), and words beside one of these ("machine à coudre"), but none about telling.
 */
function namesIn(left: readonly Token[], { tokens }: Heard): string[] {
  const telling = ['warn', 'told', 'arrive'].flatMap((name) => [...(groups.get(name) ?? [])]);
  const free = left.filter(({ word }) => goods.has(word) || !telling.includes(word));
  const isName = ({ word }: Token) => goods.has(word) || !isKnown(word);
  const isBeside = (one: Token, other: Token) =>
    Math.abs(tokens.indexOf(one) - tokens.indexOf(other)) <= 2;
  return free
    .filter((one) => isName(one) || free.some((other) => isName(other) && isBeside(one, other)))
    .map(({ given, word }) => (goods.has(word) ? word : given));
}

/** True for a date far behind a question below a card: "how much, my sister travels on the 10". */
const isAside = ({ stall, tokens }: Heard, hits: readonly Hit[]): boolean =>
  stall !== undefined &&
  (stall.by === 'bare' || dating.has(tokens[stall.from - 1]?.word ?? '')) &&
  hits.length > 0 &&
  hits.every(({ at }) => at.every((place) => stall.from - place > farthest));
const dating = new Set(['le', 'the']);

/** True if the words are the name of a category, whose stalls are a list. */
const categoryOf = (left: readonly Token[]): boolean =>
  categoryIn(left.map(({ given }) => given).join(' ')) !== undefined;

const named = (left: readonly Token[]): boolean => left.some(({ word }) => goods.has(word));

/** A number alone, or beside small words, is a stall to show. */
function fallback({ stall }: Heard, wanted: readonly Token[]): SentenceIntent {
  if (!stall || stall.by === 'bare') return 'unknown';
  if (wanted.length > (stall.by === 'namer' ? 0 : mostUnknown)) return 'unknown';
  return 'show';
}

/** An intent about one listing is a search if it names a product, and no stall. */
function looksFor(
  intent: SentenceIntent,
  left: readonly Token[],
  { stall }: Heard,
  card?: number,
): SentenceIntent {
  if (stall) return intent === 'browse' ? 'show' : intent;
  if (intent === 'browse') return named(left) && !categoryOf(left) ? 'search' : intent;
  if (!aboutOne.has(intent) || intent === 'scam' || card !== undefined) return intent;
  return named(left) || (intent === 'show' && left.length > 0) ? 'search' : intent;
}

/** "I want to buy something" names nothing to search. */
const nothingNamed = (
  intent: SentenceIntent,
  words: string[],
  price: Understood['price'],
): boolean => intent === 'search' && words.length === 0 && !price;

const denying = new Set(['not', 'pas', 'never']);
const searching = new Set([
  'qui',
  'y',
  'avez',
  'who',
  'have',
  'any',
  'cherche',
  'people',
  'you',
  'vous',
  'quelqu',
  'anyone',
  'anybody',
  'someone',
  'somebody',
]);

const doubts: Partial<Record<SentenceIntent, ReadonlySet<string>>> = {
  sold: denying,
  sell: searching,
  contact: groups.get('see') ?? new Set(),
  stop: new Set([
    'seller',
    'vendeur',
    'vendeuse',
    'contact',
    'contacts',
    'price',
    'prix',
    'photos',
  ]),
  human: new Set(['vend', 'vends', 'vendent', 'sell', 'sells', 'selling']),
};

/** Half for what a sentence denies ("not yet sold"), or asks of others ("who has X for sale?"). */
function doubt(intent: SentenceIntent, { tokens, stall }: Heard): number {
  const signs = doubts[intent];
  // "Don't send me the contact of 10" stops nothing.
  if (intent === 'stop' && stall && stall.by !== 'bare') return 0.1;
  const reaches = tokens.some(
    ({ word, kind }) => kind === 'word' && groups.get('reach')?.has(word),
  );
  if (intent === 'contact' && reaches) return 1;
  return signs && tokens.some(({ word }) => signs.has(word)) ? 0.45 : 1;
}

function scoreOf(intent: ListedIntent, hits: readonly Hit[]): number {
  if (hits.length === 0) return 0;
  const best = Math.max(...hits.map(({ pattern }) => pattern.weight));
  const whole = hits.some(({ pattern }) => pattern.whole && pattern.weight === best);
  return best * (whole ? 1 : (scales[intent] ?? 1)) + Math.min(0.3, 0.1 * (hits.length - 1));
}

/** Weak signs ("cheap", "I want") count beside the name of a product only. */
function searchScore(wanted: Token[], sought: readonly Hit[], price: Understood['price']): number {
  const named = wanted.some(({ word }) => goods.has(word));
  const sign = Math.max(0, ...sought.map(({ pattern }) => pattern.weight));
  const seeks = sign > 1 || named ? sign : 0;
  if (seeks > 0 && wanted.length === 0 && !price) return 0.7;
  if (!named && wanted.length > mostUnknown) return 0;
  return (named ? 1.5 : 0) + (seeks > 0 ? 1 + Math.min(1, seeks / 4) : 0) + (price ? 1.2 : 0);
}

/** Price bounds of a sentence; their words are no words of a search then. */
function priceIn({ tokens }: Heard): Understood['price'] {
  const { min, max, taken } = boundsIn(tokens.map(({ word }) => word));
  if (min === undefined && max === undefined) return undefined;
  for (const at of taken) (tokens[at] as Token).kind = 'price';
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

/** The language that a text is in, by words of one language alone; undefined without a sign. */
export function languageOf(text: string): Language | undefined {
  if (tokensOf(text).length === 0) return undefined;
  const { tokens } = heardIn(text);
  const counts = languages.map((language) => {
    const words = known.get(language) as Set<string>;
    const others = languages.filter((one) => one !== language);
    return tokens.filter(
      ({ word }) => words.has(word) && !others.some((other) => known.get(other)?.has(word)),
    ).length;
  });
  const most = Math.max(...counts);
  const first = counts.indexOf(most);
  return most > 0 && counts.lastIndexOf(most) === first ? languages[first] : undefined;
}
