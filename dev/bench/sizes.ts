import type { Ctx } from '../../api/core/context.ts';
import { median, percentile, type Result, ratioAtMost } from '../testbed/report.ts';
import { type Crowd, timed } from './crowd.ts';

const [rounds, warming] = [200, 20];

/** How the times of a read become one figure. */
const figures = { p50: median, p95: (all: readonly number[]) => percentile(all, 0.95) };
type How = { prefix: string; figure: keyof typeof figures; limit: number; note: string };

/** Times each read in two markets of different size, in turns, and compares the larger one. */
export async function compareSizes(
  [small, large]: readonly [Crowd, Crowd],
  reads: Record<string, (ctx: Ctx) => Promise<unknown>>,
  { prefix, figure, limit, note }: How,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [name, read] of Object.entries(reads)) {
    const took: [number[], number[]] = [[], []];
    for (let round = -warming; round < rounds; round++)
      for (const [index, { ctx }] of [small, large].entries()) {
        // Each round is another visitor, so that no pace is reached.
        const client = { ...ctx.client, visitor: `visitor ${round}` };
        const spent = await timed(() => read({ ...ctx, client }));
        if (round >= 0) took[index as 0 | 1].push(spent);
      }
    const [reference, value] = [figures[figure](took[0]), figures[figure](took[1])];
    const ratio = value / reference;
    results.push({
      ...{ name: `${prefix}${name}`, value, unit: 'ms', reference, ratio },
      ...ratioAtMost(limit)(ratio),
      note: `${figure}; ${note}`,
    });
  }
  return results;
}
