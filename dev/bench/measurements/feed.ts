import { feed } from '../../../api/connect/reads.ts';
import type { Ctx } from '../../../api/core/context.ts';
import type { Result } from '../../testbed/report.ts';
import { fillConnect, searched } from '../connectPosts.ts';
import { type Crowd, openCrowd } from '../crowd.ts';
import { compareSizes } from '../sizes.ts';
import type { Bench } from '../testbed.ts';

const reads: Record<string, (ctx: Ctx) => ReturnType<typeof feed>> = {
  feed: (ctx) => feed(ctx, {}),
  category: (ctx) => feed(ctx, { category: 'repairs' }),
  search: (ctx) => feed(ctx, { search: searched.common }),
  'search, one found': (ctx) => feed(ctx, { search: searched.rare }),
};
export const names = Object.keys(reads).map((read) => `connect ${read}`);

async function board(bench: Bench, size: number): Promise<Crowd> {
  bench.say(`a board of ${size.toLocaleString('en')} posts`);
  const crowd = await openCrowd(bench);
  await fillConnect(crowd, size);
  for (const [name, read] of Object.entries(reads))
    if ((await read(crowd.ctx)).posts.length === 0)
      throw new Error(`connect ${name} found nothing`);
  return crowd;
}

/** Reads of Connect's feed with a thousand posts and with a hundred thousand. */
export async function run(bench: Bench): Promise<Result[]> {
  const boards = [await board(bench, 1000), await board(bench, 100_000)] as const;
  const note = '100,000 posts against 1,000';
  const results = await compareSizes(boards, reads, {
    ...{ prefix: 'connect ', figure: 'p95', limit: 1.5, note },
  });
  for (const { close } of boards) await close();
  return results;
}
