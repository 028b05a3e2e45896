import { slotCount } from '../../../api/shared/slots.ts';
import { processQueue } from '../../../api/slots/fill.ts';
import { fillQueue, openCrowd, timed } from '../crowd.ts';
import { median, type Result } from '../report.ts';
import type { Bench } from '../testbed.ts';

export const names = ['process-queue fills 54', 'statements of process-queue'];
const rounds = 9;

/** One run that opens all stalls of an empty market, from queues in both lanes. */
export async function run(bench: Bench): Promise<Result[]> {
  const crowd = await openCrowd(bench);
  await fillQueue(crowd, 60 * (rounds + 1));
  await crowd.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update queue_items set queue_name = 'queue:featured' where id % 5 = 0`;
    await tx`update products set listing_type = 'featured'
      where id in (select product_id from queue_items where queue_name = 'queue:featured')`;
  });
  const [took, sent]: [number[], number[]] = [[], []];
  for (let round = -1; round < rounds; round++) {
    await crowd.sql.begin(async (tx) => {
      await tx`update listings set ended_at = greatest(now(), started_at), end_reason = 'time'
        where ended_at is null and slot_id is not null`;
      await tx`update slots set active = false, product_id = null, start_time = null, end_time = null where active`;
    });
    const before = crowd.statements();
    const spent = await timed(async () => {
      const { processedCount } = await processQueue(crowd.ctx);
      if (processedCount !== slotCount)
        throw new Error(`process-queue filled ${processedCount} slots`);
    });
    if (round >= 0) {
      took.push(spent);
      sent.push(crowd.statements() - before);
    }
  }
  await crowd.close();
  return [
    {
      name: 'process-queue fills 54',
      value: median(took),
      unit: 'ms',
      note: `median of ${rounds}, from both lanes, without mails`,
    },
    {
      name: 'statements of process-queue',
      value: median(sent),
      unit: 'statements',
      note: 'to fill every slot, begin and commit included',
    },
  ];
}
