import type { Market } from './market.ts';

/** One attack: what it does while a good buyer looks around. */
export type Attack = {
  name: string;
  /** Does it, bounded in count and time. Answers in words what came of it, and whether the market held what it promises beside staying quick. */
  run(market: Market): Promise<{ note: string; held: boolean }>;
  /** How long to look on after it, until the market is as before: milliseconds. */
  settleMs?: number;
  /** How many times a quiet moment's time the buyer may wait meanwhile; three where nothing is said. */
  want?: number;
};
