import { fillConnect } from '../connectPosts.ts';
import type { Result } from '../report.ts';
import type { Bench } from '../testbed.ts';
import { painted } from './paint.ts';

export const names = ['connect LCP', 'connect CLS', 'connect TBT'];

/** The first page of Connect, with posts as long as people write. */
export async function run(bench: Bench): Promise<Result[]> {
  await fillConnect(bench, 30);
  return painted(bench, { connect: '/connect' });
}
