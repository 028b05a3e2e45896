import { type Language, languages } from '../../locales/languages.ts';
import { type Query, queryIn } from '../conversation/query.ts';
import { tokensOf } from '../conversation/words.ts';
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

export type Intent = ListedIntent | 'search' | 'unknown';
/**
 * `number` is the stall or listing named, or the card that "it" means. `words` are left when small
 * words and the intent's own are taken away.
 */
export type Understood = {
  intent: Intent;
  number?: number;
  price?: Pick<Query, 'min' | 'max'>;
  words: string[];
};

/** Intents that speak of one listing, and may mean the card shown last. */
const aboutOne: ReadonlySet<Intent> = new Set(['contact', 'price', 'available', 'show', 'scam']);
/** Intents that do not go with the name of a product. */
const alone: ReadonlySet<Intent> = new Set([
  'greeting',
  'thanks',
  'help',
  'human',
  'browse',
  'language',
  'stop',
  'resume',
]);
const scales: Partial<Record<Intent, number>> = { greeting: 0.4, thanks: 0.6 };
const mostBetween = 2;
const least = 0.5;
/** With these nothing is asked for again. */
const refusing = new Set(['not', 'no', 'plus', 'pas', 'ne', 'never', 'jamais', 'dont']);
const thanking = new Set(['merci', 'thanks', 'thank']);

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
    const refused = intent === 'resume' && heard.tokens.some(({ word }) => refusing.has(word));
    return { intent: intent as Intent, hits, left, score: refused ? 0 : scoreOf(intent, hits) - less };
  });
  const wanted = contentOf(heard, sought, true);
  const all = [
    ...rated,
    { intent: 'search' as Intent, hits: sought, left: wanted, score: searchScore(wanted, sought, price) },
  ];
  const best = all.reduce((one, other) => (other.score > one.score ? other : one));
  const number = heard.number;
  const bare = best.score < least && number !== undefined && wanted.length === 0;
  const intent: Intent = bare ? 'show' : best.score < least ? 'unknown' : best.intent;
  const words = (intent === 'unknown' ? wanted : best.left).map(({ given }) => given);
  const looks =
    (intent === 'show' || intent === 'browse') && number === undefined && words.length > 0;
  const meant = number ?? (aboutOne.has(intent) && words.length === 0 ? card : undefined);
  return {
    intent: looks ? 'search' : nothingNamed(intent, words, price) ? 'browse' : intent,
    words,
    ...(meant !== undefined && intent !== 'search' && !looks ? { number: meant } : {}),
    ...(price ? { price } : {}),
  };
}

/** "I want to buy something" names nothing to search. */
const nothingNamed = (intent: Intent, words: string[], price: Understood['price']): boolean =>
  intent === 'search' && words.length === 0 && !price;

function scoreOf(intent: ListedIntent, hits: readonly Hit[]): number {
  if (hits.length === 0) return 0;
  const best = Math.max(...hits.map(({ pattern }) => pattern.weight));
  const whole = hits.some(({ pattern }) => pattern.whole && pattern.weight === best);
  return best * (whole ? 1 : (scales[intent] ?? 1)) + Math.min(0.3, 0.1 * (hits.length - 1));
}

function searchScore(wanted: Token[], sought: readonly Hit[], price: Understood['price']): number {
  const named = wanted.some(({ word }) => goods.has(word)) ? 1.5 : 0;
  const strong = Math.max(0, ...sought.map(({ pattern }) => pattern.weight));
  const seeks = strong > 0 && (wanted.length > 0 || price) ? 1 + Math.min(1, strong / 4) : 0;
  const asked = strong > 0 ? 0.7 : 0;
  return Math.max(asked, named + seeks + (price ? 1.2 : 0));
}

export const hitsOf = (list: readonly Pattern[], heard: Heard): Hit[] =>
  list.flatMap((pattern) => {
    if (pattern.asks && !heard.asks) return [];
    const at = pattern.whole ? wholeAt(pattern, heard) : placesOf(pattern.parts, heard.tokens);
    return at ? [{ pattern, at }] : [];
  });

const fits = (part: Part, { word, kind }: Token): boolean =>
  part === '#' ? kind === 'number' : kind !== 'price' && part.has(word);

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

function wholeAt({ parts }: Pattern, { tokens }: Heard): number[] | undefined {
  const own = (token: Token) => parts.some((part) => fits(part, token));
  const thin = parts.length === 1 && [...(parts[0] as Set<string>)].every((word) => polite.has(word));
  const said = tokens
    .filter(
      (token) => own(token) || !polite.has(token.word) || (thin && thanking.has(token.word)),
    )
    .filter((token, n, all) => token.word !== all[n - 1]?.word);
  const same = said.length === parts.length && parts.every((part, n) => fits(part, said[n] as Token));
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

function priceIn({ tokens }: Heard): Understood['price'] {
  const { min, max } = queryIn(tokens.map(({ word }) => word).join(' '));
  return min === undefined && max === undefined
    ? undefined
    : { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
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
