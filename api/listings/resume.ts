import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Tx } from '../core/context.ts';
import type { Slot } from './locks.ts';
import { secondsLeft } from './rules.ts';
import { endAfter } from './start.ts';

/** Resumes a paused listing (product §4) and returns its end. The caller has locked the slot. */
export async function resumeListing(
  tx: Tx,
  slot: Slot & { endTime: Date },
  product: { durationSeconds: number | null },
): Promise<Date> {
  const now = tx.now();
  const endTime = endAfter(now, secondsLeft(slot, product, now));
  await tx.db
    .update(schema.slots)
    .set({ pausedAt: null, pausedBy: null, remainingDuration: null, endTime, updatedAt: now })
    .where(eq(schema.slots.id, slot.id));
  return endTime;
}
