import { positionsOf } from '../../../api/listings/positions.ts';
import { moveInQueue } from '../../../api/queue/move.ts';
import { queuePageOf } from '../../../api/queue/reads.ts';
import { removeFromQueue } from '../../../api/queue/remove.ts';
import { processQueue } from '../../../api/slots/fill.ts';
import { atMost, compared, type Result, ratioAtMost, type Target } from '../../testbed/report.ts';
import { type Crowd, fillQueue, numbered, openCrowd, timed } from '../crowd.ts';
import type { Bench } from '../testbed.ts';

export const large = true;
export const names = [
  'line: place',
  'line: up',
  'line: to top',
  'line: remove',
  'line: claim',
  'line: last page',
];
const [few, many, rounds, warming] = [1000, 1_000_000, 120, 15];

/** A step on a queue of `waiting` products; `n` is the round, so that no product is used twice. */
type Step = (crowd: Crowd, waiting: number, n: number) => Promise<() => Promise<unknown>>;

/** A product far from the front, where most are ahead of it; never the same twice. */
const somebody = (crowd: Crowd, waiting: number, n: number, part: number) =>
  numbered(crowd, Math.floor(waiting * part) - n);

const steps: Record<string, Step> = {
  'line: place': async (crowd, waiting, n) => {
    const id = await somebody(crowd, waiting, n, 1);
    return () => positionsOf(crowd.ctx, [id]);
  },
  'line: up': async (crowd, waiting, n) => {
    const id = await somebody(crowd, waiting, n, 0.85);
    return () => moveInQueue(crowd.ctx, id, { direction: 'up' });
  },
  'line: to top': async (crowd, waiting, n) => {
    const id = await somebody(crowd, waiting, n, 0.7);
    return () => moveInQueue(crowd.ctx, id, { direction: 'top' });
  },
  'line: remove': async (crowd, waiting, n) => {
    const id = await somebody(crowd, waiting, n, 0.55);
    return () => removeFromQueue(crowd.ctx, id);
  },
  // One slot has become free since the last run.
  'line: claim': async (crowd) => {
    await crowd.sql.begin(async (tx) => {
      await tx`update listings set ended_at = greatest(now(), started_at), end_reason = 'time'
        where ended_at is null and slot_id = 54`;
      await tx`update slots set active = false, product_id = null, start_time = null, end_time = null where id = 54`;
    });
    return () => processQueue(crowd.ctx);
  },
  'line: last page': async (crowd, waiting) => {
    const [row] = await crowd.sql<{ n: number }[]>`select count(*)::int as n from queue_items`;
    const page = Math.ceil((row?.n ?? waiting) / 20);
    return () => queuePageOf(crowd.ctx, { queueName: 'queue:regular', page });
  },
};

/** These count along the index of the order, so they grow with the queue (decision 056). */
const targets: Record<string, (ratio: number, value: number) => Target> = {
  'line: place': (_, value) => atMost(50, 'ms', value),
  'line: last page': (_, value) => atMost(1000, 'ms', value),
};

/** Queue operations of admins and sellers, in queues of a thousand and of a million. */
export async function run(bench: Bench): Promise<Result[]> {
  const lines: [Crowd, number][] = [];
  for (const waiting of [few, many]) {
    bench.say(`a line of ${waiting.toLocaleString('en')}`);
    const crowd = await openCrowd(bench);
    await fillQueue(crowd, waiting);
    // Fills every slot except the other lane's, as in a market with a queue.
    await processQueue(crowd.ctx);
    lines.push([crowd, waiting]);
  }
  const results: Result[] = [];
  for (const name of names) {
    const took: [number[], number[]] = [[], []];
    for (let n = -warming; n < rounds; n++) {
      for (const [index, [crowd, waiting]] of lines.entries()) {
        const work = await steps[name]?.(crowd, waiting, n + warming);
        const spent = await timed(work ?? (() => Promise.resolve()));
        if (n >= 0) took[index as 0 | 1].push(spent);
      }
    }
    results.push(
      compared(
        name,
        'ms',
        took[1],
        took[0],
        targets[name] ?? ratioAtMost(1.3),
        `median of ${rounds}; 1,000,000 waiting against 1,000`,
      ),
    );
  }
  for (const [crowd] of lines) await crowd.close();
  return results;
}
