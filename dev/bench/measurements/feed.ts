import { feed } from '../../../api/connect/reads.ts';
import type { Ctx } from '../../../api/core/context.ts';
import { fillConnect, searched } from '../connectPosts.ts';
import { type Crowd, openCrowd, timed } from '../crowd.ts';
import { percentile, type Result, ratioAtMost } from '../report.ts';
import type { Bench } from '../testbed.ts';

const [few, many, rounds, warming] = [1000, 100_000, 200, 20];
const reads: Record<string, (ctx: Ctx) => ReturnType<typeof feed>> = {
  feed: (ctx) => feed(ctx, {}),
  category: (ctx) => feed(ctx, { category: 'repairs' }),
  search: (ctx) => feed(ctx, { search: searched.common }),
  'search, one found': (ctx) => feed(ctx, { search: searched.rare }),
};
export const names = Object.keys(reads).map((read) => `connect ${read}`);

/** Reads of Connect's feed, p95, with a thousand posts and with a hundred thousand, in turns. */
export async function run(bench: Bench): Promise<Result[]> {
  const crowds: Crowd[] = [];
  for (const size of [few, many]) {
    bench.say(`a board of ${size.toLocaleString('en')} posts`);
    const crowd = await openCrowd(bench);
    await fillConnect(crowd, size);
    crowds.push(crowd);
  }
  const results: Result[] = [];
  for (const [name, read] of Object.entries(reads)) {
    const took: [number[], number[]] = [[], []];
    for (let round = -warming; round < rounds; round++) {
      for (const [index, { ctx }] of crowds.entries()) {
        let found = 0;
        const spent = await timed(async () => {
          found = (await read(ctx)).posts.length;
        });
        if (found === 0) throw new Error(`connect ${name} found nothing`);
        if (round >= 0) took[index as 0 | 1].push(spent);
      }
    }
    const [reference, value] = [percentile(took[0], 0.95), percentile(took[1], 0.95)];
    const ratio = value / reference;
    results.push({
      name: `connect ${name}`,
      value,
      unit: 'ms',
      reference,
      ratio,
      ...ratioAtMost(1.5)(ratio),
      note: 'p95; 100,000 posts against 1,000',
    });
  }
  for (const { close } of crowds) await close();
  return results;
}
