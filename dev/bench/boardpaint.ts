import { fillBoard } from './board.ts';
import { painted } from './paint.ts';
import type { Bench } from './place.ts';
import type { Result } from './report.ts';

export const names = ['connect LCP', 'connect CLS', 'connect TBT'];

/** The first page of Connect, with posts as long as people write. */
export async function run(bench: Bench): Promise<Result[]> {
  await fillBoard(bench, 30);
  return painted(bench, { connect: '/connect' });
}
