import type { Market } from './market.ts';

/** An attack, measured while a buyer browses. */
export type Attack = {
  name: string;
  /**
   * Runs it, bounded in count and time. Returns a note, and whether the market kept its other
   * promises.
   */
  run(market: Market): Promise<{ note: string; held: boolean }>;
  /** Milliseconds to keep watching afterwards, until the market is as before. */
  settleMs?: number;
  /** Allowed slowdown of the buyer, as a multiple of a quiet moment; 3 if undefined. */
  want?: number;
};
