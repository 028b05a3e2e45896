import { and, eq, gt, isNull, lte, type SQL } from 'drizzle-orm';
import { schema } from '../../db/client.ts';

const { slots } = schema;
const running = and(eq(slots.active, true), isNull(slots.pausedAt));

/**
 * The one meaning of "publicly live" for Postgres, on a row of `slots`: somebody may see the listing and contact its seller (product R3,
 * R7). {@link slotState} says the same in code, and a test holds the two equal. Nothing else need be asked: a removed, sold or unapproved
 * product is in no slot (`product_place`), and a suspended seller's slots are paused.
 */
export const isLive = (now: Date): SQL => and(running, gt(slots.endTime, now)) as SQL;

/** Its time is up, and the next run of process-queue will end it. */
export const isOverdue = (now: Date): SQL => and(running, lte(slots.endTime, now)) as SQL;
