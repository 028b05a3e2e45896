import { and, eq, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { notifySellersOf } from '../people/notify.ts';
import { readSettings } from '../settings/values.ts';
import { dayAndTime, nameIn } from '../shared/format.ts';
import { slotNumber } from '../shared/slots.ts';
import { money } from '../shared/text.ts';
import { isLive } from './live.ts';
import { endsSoonHours, feeFor } from './rules.ts';

/**
 * Notifies sellers six hours before the end, once, and again if it moves an hour later. A listing
 * of six hours or less had its end in its first notification.
 */
export async function tellEndsSoon(ctx: Ctx): Promise<{ told: number }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { slots: s, listings: l, products: p } = schema;
    const now = tx.now();
    const soon = sql`make_interval(hours => ${endsSoonHours})`;
    const due = await tx.db
      .select({
        listing: l.id,
        product: p.id,
        slot: s.id,
        end: s.endTime,
        durationSeconds: p.durationSeconds,
        listingType: p.listingType,
      })
      .from(s)
      .innerJoin(l, and(eq(l.productId, s.productId), isNull(l.endedAt)))
      .innerJoin(p, eq(p.id, s.productId))
      .where(
        and(
          isLive(now),
          lte(s.endTime, sql`${now.toISOString()}::timestamptz + ${soon}`),
          gt(s.endTime, sql`${s.startTime} + ${soon}`),
          or(isNull(l.endTold), gt(s.endTime, sql`${l.endTold} + interval '1 hour'`)),
        ),
      )
      .orderBy(l.id)
      .for('update', { of: l, skipLocked: true });
    if (due.length === 0) return { told: 0 };
    const of = new Map(due.map((one) => [one.product, { ...one, end: one.end as Date }]));
    const ids = due.map(({ listing }) => listing);
    await tx.db
      .update(l)
      .set({ endTold: sql`(select end_time from slots where slots.id = ${l.slotId})` })
      .where(inArray(l.id, ids));
    const { trackFees } = await readSettings(tx, ['trackFees']);
    await notifySellersOf(
      tx,
      [...of.keys()],
      'listingEndsSoon',
      ({ id, name }, language) => {
        const { slot, end, ...product } = of.get(id) as { slot: number; end: Date } & Parameters<
          typeof feeFor
        >[0];
        const fee = trackFees ? feeFor(product) : null;
        return {
          product: nameIn(name, language),
          slot: slotNumber(slot),
          end: dayAndTime(end, language),
          ...(fee === null ? {} : { fee: money(fee, language) }),
        };
      },
      'seller/dashboard',
    );
    return { told: due.length };
  });
}
