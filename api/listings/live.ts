import { and, eq, gt, isNull, lte, type SQL } from 'drizzle-orm';
import { schema } from '../../db/client.ts';

const { slots } = schema;
const running = and(eq(slots.active, true), isNull(slots.pausedAt));

/**
 * The one condition on `slots` for "publicly live" (product R3, R7); a test holds it equal to
 * {@link slotState}. Needs no more: `product_place` keeps removed, sold and unapproved products out
 * of slots, and a suspended seller's slots are paused.
 */
export const isLive = (now: Date): SQL => and(running, gt(slots.endTime, now)) as SQL;

/** The next run of process-queue ends these. */
export const isOverdue = (now: Date): SQL => and(running, lte(slots.endTime, now)) as SQL;
