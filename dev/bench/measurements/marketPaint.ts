import type { Result } from '../report.ts';
import type { Bench } from '../testbed.ts';
import { painted } from './paint.ts';

export const names = ['market LCP', 'market CLS', 'market TBT'];

/** The market's search page, all stalls full. */
export const run = (bench: Bench): Promise<Result[]> => painted(bench, { market: '/market' });
