import type { Hit } from './matching.ts';
import type { Token } from './numbers.ts';
import {
  askers,
  contrasts,
  goods,
  groups,
  type ListedIntent,
  own,
  reversals,
  somebody,
} from './table.ts';
import type { Heard } from './tokens.ts';

export type SentenceIntent = ListedIntent | 'search' | 'unknown';

/** Intents that speak of one listing, and may mean the card shown last. */
export const aboutOne: ReadonlySet<SentenceIntent> = new Set([
  'contact',
  'price',
  'available',
  'show',
  'scam',
]);

/** An intent with the patterns that speak for it. */
export type Rated = { intent: SentenceIntent; hits: readonly Hit[]; score: number };

/** The table counts for so much beside the probabilities of the classifier. */
const tableShare = 0.3;
/** So much of the classifier is needed to act on something, alone or beside the table's word. */
const leastToAct = { alone: 0.9, withTable: 0.6 };
/** Silence and complaints need so much of the classifier alone, or beside the table's word. */
const leastToStop = { alone: 0.97, withTable: 0.15 };
const leastToComplain = 0.8;
/** From here on the chat asks whether silence was meant. */
const leastToAskWhetherToStop = 0.35;
/** A question about selling rather than its begin. */
const leastToAsk = 0.25;
/** With a sign of the table, so much is a complaint. */
const leastToSuspect = 0.25;
const acting: ReadonlySet<SentenceIntent> = new Set([
  'contact',
  'sell',
  'sold',
  'withdraw',
  'renew',
  'resume',
]);

/** The intent by the table and the classifier together. */
export function judged(
  byTable: SentenceIntent,
  opinion: ReadonlyMap<string, number>,
): SentenceIntent {
  const shares = new Map(opinion as ReadonlyMap<SentenceIntent, number>);
  if (byTable !== 'unknown') shares.set(byTable, (shares.get(byTable) ?? 0) + tableShare);
  const toStop = byTable === 'stop' ? leastToStop.withTable : leastToStop.alone;
  if ((opinion.get('stop') ?? 0) >= toStop) return 'stop';
  if (byTable !== 'stop') shares.delete('stop');
  if (byTable !== 'scam' && (opinion.get('scam') ?? 0) < leastToComplain) shares.delete('scam');
  const [intent] = [...shares].reduce(
    (one, other) => (other[1] > one[1] ? other : one),
    [byTable, 0],
  );
  return intent;
}

/** False for an intent that acts on something, and is not sure enough. */
export function mayAct(
  intent: SentenceIntent,
  byTable: SentenceIntent,
  opinion: ReadonlyMap<string, number>,
): boolean {
  const least = byTable === intent ? leastToAct.withTable : leastToAct.alone;
  return !acting.has(intent) || (opinion.get(intent) ?? 0) >= least;
}

/** True if silence may have been meant, though something else is more likely. */
export const mayStop = (found: SentenceIntent, opinion: ReadonlyMap<string, number>): boolean =>
  found !== 'stop' && found !== 'resume' && (opinion.get('stop') ?? 0) >= leastToAskWhetherToStop;

/** The request of a sentence about a named stall, or of a complaint, whatever else it holds. */
export function meaningOf(
  best: SentenceIntent,
  rated: readonly Rated[],
  { tokens, stall, asks, measured }: Heard,
  opinion: ReadonlyMap<string, number>,
): SentenceIntent {
  const suspects = (opinion.get('scam') ?? 0) >= leastToSuspect;
  const complains = rated.some(
    ({ intent, hits }) => intent === 'scam' && hits.some(({ pattern }) => pattern.weight > 1),
  );
  // "I wear 42" below a card asks nothing of it.
  const hits = rated.find(({ intent }) => intent === best)?.hits ?? [];
  if (measured && !stall && aboutOne.has(best) && hits.length === 0) return 'unknown';
  // Whose telephone number it is, is not said: most often it is the writer's.
  const hasPhone = tokens.some(({ kind }) => kind === 'other');
  const onlyPhone = tokens.every(
    ({ word, kind }) => kind !== 'word' || !goods.has(word) || groups.get('phone')?.has(word),
  );
  if (hasPhone && !stall && (best === 'contact' || (best === 'search' && onlyPhone)))
    return 'unknown';
  // "I heard of number 53, can I look?" means the stall.
  const looks = tokens.some(({ word, kind }) => kind === 'word' && groups.get('see')?.has(word));
  const numbered = tokens.some(({ word, kind }) => kind === 'label' && /^num/.test(word));
  if (best === 'contact' && stall && looks && numbered) return 'show';
  if (best === 'sold' && stall && asks) return 'available';
  if (best === 'stop' && turnsBack(rated, tokens)) return 'resume';
  const others = tokens.some(({ word }) => somebody.has(word));
  const wantsToSell = !others && tokens.some(({ word, kind }) => kind === 'word' && own.has(word));
  const wonders = asks || tokens.some(({ word }) => askers.has(word));
  const asksFirst = (opinion.get('selling') ?? 0) >= leastToAsk;
  if (best === 'sell' && (asksFirst || (wonders && !wantsToSell))) return 'selling';
  // No contact of the seller complained about is offered.
  if (best === 'contact' ? complains || suspects : complains && suspects && aboutOne.has(best))
    return 'scam';
  if (
    best !== 'search' ||
    !stall ||
    tokens.some(({ word, kind }) => kind === 'word' && goods.has(word))
  )
    return best;
  const about = rated
    .filter(({ intent, score }) => aboutOne.has(intent) && score > 0)
    .sort((one, other) => other.score - one.score)[0];
  const buys = tokens.some(({ word }) => groups.get('buy')?.has(word));
  return about?.intent ?? (buys ? 'contact' : 'show');
}

/** "I said stop, but write to me again." */
const turnsBack = (rated: readonly Rated[], tokens: readonly Token[]): boolean =>
  rated.some(({ intent, score }) => intent === 'resume' && score > 0) &&
  tokens.some(({ word }) => contrasts.has(word) || reversals.has(word));
