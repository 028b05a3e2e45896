import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Tx } from '../core/context.ts';
import type { Slot } from './locks.ts';
import { pausedEndSeconds, secondsLeft } from './rules.ts';
import { endAfter } from './start.ts';

/**
 * Pauses a live listing (product R7, R20) and returns its seconds left. The caller has locked the
 * slot.
 */
export async function pauseListing(
  tx: Tx,
  slot: Slot & { endTime: Date },
  by: 'admin' | 'suspension',
): Promise<number> {
  const now = tx.now();
  const remaining = secondsLeft(slot, { durationSeconds: null }, now);
  await tx.db
    .update(schema.slots)
    .set({
      pausedAt: now,
      pausedBy: by,
      remainingDuration: remaining,
      endTime: endAfter(now, pausedEndSeconds),
      updatedAt: now,
    })
    .where(eq(schema.slots.id, slot.id));
  return remaining;
}
