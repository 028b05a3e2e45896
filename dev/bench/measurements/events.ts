import { randomUUID } from 'node:crypto';
import { recordEvent } from '../../../api/engagement/record.ts';
import { rollUpEngagement } from '../../../api/engagement/rollup.ts';
import { connect } from '../../../db/client.ts';
import { compared, median, type Result, ratioAtLeast } from '../../testbed/report.ts';
import { timed } from '../crowd.ts';
import type { Bench } from '../testbed.ts';

export const names = ['event writes', 'event writes, crowded', 'event roll-up'];
const [rounds, events, atOnce] = [7, 2000, 64];

/** Runs `atOnce` tasks in parallel; returns tasks per second. */
async function perSecond(work: (n: number) => Promise<unknown>, workers = atOnce): Promise<number> {
  let next = 0;
  const worker = async () => {
    while (next < events) await work(next++);
  };
  return (
    (events / (await timed(() => Promise.all(Array.from({ length: workers }, worker))))) * 1000
  );
}

/**
 * Views recorded as the product does, against plain inserts: in a loop, and as many at once as
 * there are visitors. Also moving them into the figures.
 */
export async function run(bench: Bench): Promise<Result[]> {
  const { db, sql, close } = connect(bench.target, { max: 16 });
  try {
    const ctx = {
      ...bench.ctx,
      db,
      client: { ...bench.ctx.client, userAgent: 'Mozilla/5.0 (Android 14) Chrome/140' },
    };
    const stall = (n: number) =>
      bench.products[n % bench.products.length] as Bench['products'][number];
    const own = (n: number) =>
      recordEvent(
        ctx,
        { type: 'view', slotId: stall(n).slotId, productId: stall(n).productId },
        randomUUID(),
      );
    const plain = (n: number) =>
      sql`insert into engagement_events (type, slot_id, product_id, visitor, occurred_at)
        values ('view', ${stall(n).slotId}, ${stall(n).productId}, ${randomUUID()}, now())`;
    const took: [number[], number[], number[], number[]] = [[], [], [], []];
    for (let round = -1; round < rounds; round++) {
      const figures = [await perSecond(own), await perSecond(plain, 1), await perSecond(plain)];
      const rolled = await timed(() => rollUpEngagement(ctx));
      if (round >= 0)
        for (const [index, value] of [...figures, (rolled / (3 * events)) * 1000].entries())
          took[index as 0 | 1 | 2 | 3].push(value);
    }
    const [count] = await sql<{ n: number }[]>`select count(*)::int as n from engagement_events`;
    if (count?.n !== (rounds + 1) * 3 * events) throw new Error('Not every event was written');
    const [own64, loop, crowd, rolls] = took;
    return [
      compared(
        'event writes',
        '/s',
        own64,
        loop,
        ratioAtLeast(1),
        `${atOnce} visitors at once, each view looked up; the reference is a loop of inserts`,
      ),
      compared(
        'event writes, crowded',
        '/s',
        own64,
        crowd,
        undefined,
        `the reference is ${atOnce} inserts at once, nothing looked up`,
      ),
      {
        name: 'event roll-up',
        value: median(rolls),
        unit: 'ms',
        note: 'for 1,000 events, into three tables',
      },
    ];
  } finally {
    await sql`delete from engagement_events`;
    await close();
  }
}
