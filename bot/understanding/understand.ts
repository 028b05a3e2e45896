import { type Language, languages } from '../../locales/languages.ts';
import { boundsIn, categoryIn, type Query } from './query.ts';
import {
  goods,
  intents,
  known,
  type ListedIntent,
  type Part,
  type Pattern,
  patterns,
  polite,
  seek,
  small,
} from './table.ts';
import { type Heard, heardIn, type Token } from './tokens.ts';
import { tokensOf } from './words.ts';

export type SentenceIntent = ListedIntent | 'search' | 'unknown';
/**
 * `number` is the stall or listing named, or the card that "it" means. `words` are left when small
 * words and the intent's own are taken away.
 */
export type Understood = {
  intent: SentenceIntent;
  number?: number;
  price?: Pick<Query, 'min' | 'max'>;
  words: string[];
};

/** Intents that speak of one listing, and may mean the card shown last. */
const aboutOne: ReadonlySet<SentenceIntent> = new Set([
  'contact',
  'price',
  'available',
  'show',
  'scam',
]);
/** Intents that do not go with the name of a product. */
const alone: ReadonlySet<SentenceIntent> = new Set([
  'greeting',
  'thanks',
  'help',
  'human',
  'browse',
  'language',
  'stop',
  'resume',
]);
const scales: Partial<Record<SentenceIntent, number>> = {
  greeting: 0.4,
  thanks: 0.6,
  help: 0.8,
  scam: 1.6,
};
const mostBetween = 2;
const mostUnknown = 3;
const least = 0.5;
/** With these nothing is asked for again. */
const refusing = new Set(['not', 'no', 'plus', 'pas', 'ne', 'never', 'jamais', 'dont']);
const thanking = new Set(['merci', 'thanks', 'thank']);

const answering: ReadonlySet<SentenceIntent> = new Set(['yes', 'no', 'back']);
const leastAnswer = 3;

type Hit = { pattern: Pattern; at: number[] };

/**
 * The intent of a message by the tables of intents, in all languages, with the slips that the
 * search forgives.
 * @param card number of the stall shown last
 */
export function understand(text: string, { card }: { card?: number | undefined } = {}): Understood {
  const heard = heardIn(text);
  const price = priceIn(heard);
  const sought = hitsOf(seek, heard);
  const rated = intents.map((intent) => {
    const hits = hitsOf(patterns.get(intent) ?? [], heard);
    const left = contentOf(heard, hits);
    const less = alone.has(intent) ? 0.25 * left.length : 0;
    const answers = answering.has(intent) && answersAt(patterns.get(intent) ?? [], heard);
    const refused = intent === 'resume' && heard.tokens.some(({ word }) => refusing.has(word));
    return {
      intent: intent as SentenceIntent,
      hits,
      left,
      score: refused
        ? 0
        : Math.max(answers ? leastAnswer : 0, scoreOf(intent, hits) * doubt(intent, heard) - less),
    };
  });
  const wanted = contentOf(heard, sought, true);
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
  const { number } = heard;
  const found = best.score < least ? fallback(heard, wanted) : best.intent;
  const left = found === 'unknown' ? wanted : best.left;
  const browses = rated.some(({ intent, score }) => intent === 'browse' && score > 0);
  const offers = price && found === 'search' && (number ?? card) !== undefined;
  const bargains = offers && !left.some(({ word }) => goods.has(word)) && sought.length === 0;
  const intent = bargains ? 'price' : looksFor(found, left, heard, card);
  const words = left.map(({ given }) => given);
  const meant =
    number ?? (aboutOne.has(intent) && (words.length === 0 || !named(left)) ? card : undefined);
  return {
    intent:
      nothingNamed(intent, words, price) || (intent === 'search' && browses && categoryOf(left))
        ? 'browse'
        : intent,
    words,
    ...(meant !== undefined && intent !== 'search' ? { number: meant } : {}),
    ...(price ? { price } : {}),
  };
}

/** True if the words are the name of a category, whose stalls are a list. */
const categoryOf = (left: readonly Token[]): boolean =>
  categoryIn(left.map(({ given }) => given).join(' ')) !== undefined;

const named = (left: readonly Token[]): boolean => left.some(({ word }) => goods.has(word));

/** A number alone is a stall to show; "number 7" asks for its seller's. */
function fallback({ tokens, number }: Heard, wanted: readonly Token[]): SentenceIntent {
  if (number === undefined) return 'unknown';
  const asked = tokens.some(({ word, kind }) => kind === 'label' && /^num/.test(word));
  return wanted.length > mostUnknown ? 'unknown' : asked ? 'contact' : 'show';
}

/** An intent about one listing is a search if it names a product, and no stall. */
function looksFor(
  intent: SentenceIntent,
  left: readonly Token[],
  { number }: Heard,
  card?: number,
): SentenceIntent {
  if (number !== undefined) return intent === 'browse' ? 'show' : intent;
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
  human: new Set(['vend', 'vends', 'vendent', 'sell', 'sells', 'selling']),
};

/** Half for what a sentence denies ("not yet sold"), or asks of others ("who has X for sale?"). */
function doubt(intent: SentenceIntent, { tokens }: Heard): number {
  const signs = doubts[intent];
  return signs && tokens.some(({ word }) => signs.has(word)) ? 0.5 : 1;
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

const hitsOf = (list: readonly Pattern[], heard: Heard): Hit[] =>
  list.flatMap((pattern) => {
    if (pattern.asks && !heard.asks) return [];
    const at = pattern.whole ? wholeAt(pattern, heard) : placesOf(pattern.parts, heard.tokens);
    return at ? [{ pattern, at }] : [];
  });

const fits = (part: Part, { word, kind }: Token): boolean =>
  part === '#' ? kind === 'number' : kind === 'word' && part.has(word);

/** Where the parts are found in order, with few words between them. */
function placesOf(parts: readonly Part[], tokens: readonly Token[]): number[] | undefined {
  for (let start = 0; start < tokens.length; start++) {
    const places: number[] = [];
    let from = start;
    for (const part of parts) {
      const reach = places.length === 0 ? from : from + mostBetween;
      let at = from;
      while (at <= reach && at < tokens.length && !fits(part, tokens[at] as Token)) at++;
      if (at > reach || at >= tokens.length) break;
      places.push(at);
      from = at + 1;
    }
    if (places.length === parts.length) return places;
  }
  return undefined;
}

/** Several answers in one ("ok d'accord vas-y"): all words belong to one intent's answers. */
function answersAt(list: readonly Pattern[], { tokens }: Heard): boolean {
  const taken = new Set<number>();
  for (const { whole, parts } of list) {
    if (!whole) continue;
    for (let from = 0; from + parts.length <= tokens.length; from++)
      if (parts.every((part, n) => fits(part, tokens[from + n] as Token)))
        for (let n = 0; n < parts.length; n++) taken.add(from + n);
  }
  const thin = [...taken].every((n) => polite.has((tokens[n] as Token).word));
  if (thin && tokens.some(({ word }) => thanking.has(word))) return false;
  return taken.size > 0 && tokens.every(({ word }, n) => taken.has(n) || polite.has(word));
}

function wholeAt({ parts }: Pattern, { tokens }: Heard): number[] | undefined {
  const own = (token: Token) => parts.some((part) => fits(part, token));
  const thin =
    parts.length === 1 && [...(parts[0] as Set<string>)].every((word) => polite.has(word));
  const said = tokens
    .filter((token) => own(token) || !polite.has(token.word) || (thin && thanking.has(token.word)))
    .filter((token, n, all) => token.word !== all[n - 1]?.word);
  const same =
    said.length === parts.length && parts.every((part, n) => fits(part, said[n] as Token));
  return same ? tokens.map((_, n) => n) : undefined;
}

/** Words that are neither small nor part of a pattern: most likely a product. */
function contentOf({ tokens }: Heard, hits: readonly Hit[], evenGoods = false): Token[] {
  const taken = new Set(hits.flatMap(({ at }) => at));
  return tokens.filter(
    ({ word, kind }, n) =>
      kind === 'word' &&
      (!taken.has(n) || (evenGoods && goods.has(word))) &&
      (goods.has(word) || !small.has(word)) &&
      !polite.has(word),
  );
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
