import { and, asc, eq, inArray, isNull, lte, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { dayAndTime } from '../core/format.ts';
import { writeMail } from '../core/outbox.ts';
import { inTransaction } from '../core/transaction.ts';
import { nameIn } from '../products/present.ts';
import { recipientsOf } from '../products/recipients.ts';
import { lockLane } from '../queue/enqueue.ts';
import { emptySlots } from './release.ts';
import { assign, slotNumber } from './rules.ts';

/** The answer of process-queue (product §7): how many products got a slot, how many slots are still empty. */
export type Filled = { processedCount: number; availableSlots: number; endedCount: number; assigned: { slotId: number; productId: string }[] };

/**
 * process-queue (product §4, §7; product R3-R5): frees the slots whose time is up, ending each listing in the same
 * transaction, then fills what is empty from the lanes. One advisory lock makes two runs follow each other, so that running it
 * twice, or in two processes at once, changes nothing. Products of suspended sellers keep their place and are passed over.
 */
export async function processQueue(ctx: Ctx): Promise<Filled> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended('process-queue', 54))`);
    for (const name of schema.queueNames) await lockLane(tx, name);
    const ended = await endDueListings(tx);
    const filled = await fillEmptySlots(tx);
    if (tx.actor.kind === 'admin') await audit(tx, { action: 'queue.process', subjectKind: 'queue', subjectId: null, after: { ...filled, endedCount: ended } });
    return { ...filled, endedCount: ended };
  });
}

async function endDueListings(tx: Ctx): Promise<number> {
  const { slots, products } = schema;
  const now = tx.now();
  const due = await tx.db
    .select({ id: slots.id, productId: slots.productId })
    .from(slots)
    .where(and(eq(slots.active, true), isNull(slots.pausedAt), lte(slots.endTime, now)))
    .orderBy(asc(slots.id))
    .for('update');
  const productIds = due.flatMap((slot) => slot.productId ?? []);
  if (productIds.length === 0) return 0;
  await emptySlots(
    tx,
    due.map((slot) => slot.id),
  );
  await tx.db.update(products).set({ listingEndedAt: now, updatedAt: now }).where(inArray(products.id, productIds));
  for (const person of await recipientsOf(tx, productIds)) {
    await writeMail(tx, {
      to: person.email,
      name: person.name,
      language: person.language,
      kind: 'listingEnded',
      params: { product: nameIn(person.product.name, person.language), slot: slotNumber(due.find((slot) => slot.productId === person.product.id)?.id ?? 0) },
      link: `${tx.services.env.publicUrl}/${person.language}/seller/dashboard`,
      sellerId: person.sellerId,
    });
  }
  return productIds.length;
}

async function fillEmptySlots(tx: Ctx): Promise<Omit<Filled, 'endedCount'>> {
  const { slots, queueItems, products, sellers, slotEngagement } = schema;
  const now = tx.now();
  const empty = (await tx.db.select({ id: slots.id }).from(slots).where(eq(slots.active, false)).orderBy(asc(slots.id)).for('update')).map((slot) => slot.id);
  if (empty.length === 0) return { processedCount: 0, availableSlots: 0, assigned: [] };
  const lane = (queueName: 'queue:featured' | 'queue:regular', limit: number) =>
    limit === 0
      ? []
      : tx.db
          .select({
            productId: queueItems.productId,
            queueName: queueItems.queueName,
            preferredFeaturedSlot: products.preferredFeaturedSlot,
            durationSeconds: sql<number | null>`coalesce(${queueItems.remainingSeconds}, ${products.durationSeconds})`,
          })
          .from(queueItems)
          .innerJoin(products, eq(products.id, queueItems.productId))
          .leftJoin(sellers, eq(sellers.id, products.sellerId))
          .where(and(eq(queueItems.queueName, queueName), sql`${sellers.suspended} is not true`))
          .orderBy(asc(queueItems.band), asc(queueItems.position))
          .limit(limit)
          .for('update', { of: queueItems });
  const premium = empty.filter((id) => id <= 10).length;
  const waiting = [...(await lane('queue:featured', premium)), ...(await lane('queue:regular', empty.length - premium))];
  const assigned = assign(empty, waiting);
  if (assigned.length > 0) {
    const productIds = assigned.map((a) => a.productId);
    await tx.db.delete(queueItems).where(inArray(queueItems.productId, productIds));
    const rows = sql.join(
      assigned.map((a) => sql`(${a.slotId}::smallint, ${a.productId}::uuid, ${a.durationSeconds}::int)`),
      sql`, `,
    );
    const start = now.toISOString();
    await tx.db.execute(sql`
      update slots set active = true, product_id = a.product_id, start_time = ${start}::timestamptz,
        end_time = ${start}::timestamptz + make_interval(secs => a.seconds), updated_at = ${start}::timestamptz
      from (values ${rows}) as a(slot_id, product_id, seconds) where slots.id = a.slot_id`);
    await tx.db
      .update(slotEngagement)
      .set({ views: 0, clicks: 0, messageTaps: 0, shares: 0 })
      .where(
        inArray(
          slotEngagement.slotId,
          assigned.map((a) => a.slotId),
        ),
      );
    await tx.db.update(products).set({ listingStartedAt: now, updatedAt: now }).where(inArray(products.id, productIds));
    for (const person of await recipientsOf(tx, productIds)) {
      const place = assigned.find((a) => a.productId === person.product.id);
      if (!place) continue;
      await writeMail(tx, {
        to: person.email,
        name: person.name,
        language: person.language,
        kind: 'productLive',
        params: {
          product: nameIn(person.product.name, person.language),
          slot: slotNumber(place.slotId),
          end: dayAndTime(new Date(now.getTime() + place.durationSeconds * 1000), person.language),
        },
        link: `${tx.services.env.publicUrl}/${person.language}/shop/${place.slotId}/${person.product.slug}`,
        sellerId: person.sellerId,
      });
    }
  }
  return {
    processedCount: assigned.length,
    availableSlots: empty.length - assigned.length,
    assigned: assigned.map(({ slotId, productId }) => ({ slotId, productId })),
  };
}
