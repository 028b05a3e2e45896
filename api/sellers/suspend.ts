import { and, asc, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { type MailKind, writeMail } from '../core/outbox.ts';
import { inTransaction } from '../core/transaction.ts';
import { nameIn } from '../products/present.ts';
import { recipientsOf } from '../products/recipients.ts';
import { emptySlots } from '../slots/release.ts';
import { pausedEndSeconds, resumeFallbackSeconds, slotNumber } from '../slots/rules.ts';

export type SellerRow = typeof schema.sellers.$inferSelect;
/** The seller's slots that a suspension paused, or that its end resumed. */
export type Suspended = { id: string; slotIds: number[] };

/**
 * Suspends a seller (product §4, product R20): felt with the next request, live slots paused with the time they have left, waiting
 * products kept in their place. The seller is told why. A slot that an admin has paused stays that admin's; a listing whose time is up
 * ends, as the next run of process-queue would end it. Refuses `sellers.notFound`, `conflict` when somebody was faster.
 */
export async function suspendSeller(ctx: Ctx, sellerId: string, reason: string): Promise<Suspended> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    await waitForQueueRun(tx);
    const seller = await lockSeller(tx, sellerId);
    if (seller.suspended) throw new Refusal('conflict');
    const now = tx.now();
    const { sellers, slots, products } = schema;
    await tx.db.update(sellers).set({ suspended: true, suspendedReason: reason, suspendedAt: now, updatedAt: now }).where(eq(sellers.id, sellerId));
    await endOverdue(tx, sellerId);
    const live = await tx.db
      .select({ id: slots.id, endTime: slots.endTime })
      .from(slots)
      .innerJoin(products, eq(products.id, slots.productId))
      .where(and(eq(products.sellerId, sellerId), eq(slots.active, true), isNull(slots.pausedAt), gt(slots.endTime, now)))
      .orderBy(asc(slots.id))
      .for('update', { of: slots });
    for (const { id, endTime } of live) {
      await tx.db
        .update(slots)
        .set({
          pausedAt: now,
          pausedBy: 'suspension',
          remainingDuration: Math.ceil(((endTime ?? now).getTime() - now.getTime()) / 1000),
          endTime: new Date(now.getTime() + pausedEndSeconds * 1000),
          updatedAt: now,
        })
        .where(eq(slots.id, id));
    }
    const slotIds = live.map((slot) => slot.id);
    await audit(tx, {
      action: 'seller.suspend',
      subjectKind: 'seller',
      subjectId: sellerId,
      before: { suspended: false },
      after: { suspended: true, reason, pausedSlots: slotIds },
    });
    await tellSeller(tx, seller, 'sellerSuspended', { reason });
    return { id: sellerId, slotIds };
  });
}

/** Ends what still reads EXPIRED: nothing of a suspended seller stays on the grid. */
async function endOverdue(tx: Ctx, sellerId: string): Promise<void> {
  const { slots, products } = schema;
  const now = tx.now();
  const due = await tx.db
    .select({ id: slots.id, productId: products.id })
    .from(slots)
    .innerJoin(products, eq(products.id, slots.productId))
    .where(and(eq(products.sellerId, sellerId), eq(slots.active, true), isNull(slots.pausedAt), lte(slots.endTime, now)))
    .orderBy(asc(slots.id))
    .for('update', { of: slots });
  if (due.length === 0) return;
  await emptySlots(
    tx,
    due.map((slot) => slot.id),
  );
  const productIds = due.map((slot) => slot.productId);
  await tx.db.update(products).set({ listingEndedAt: now, updatedAt: now }).where(inArray(products.id, productIds));
  for (const person of await recipientsOf(tx, productIds)) {
    await writeMail(tx, {
      to: person.email,
      name: person.name,
      language: person.language,
      kind: 'listingEnded',
      params: { product: nameIn(person.product.name, person.language), slot: slotNumber(due.find((slot) => slot.productId === person.product.id)?.id ?? 0) },
      link: `${tx.services.env.publicUrl}/${person.language}/seller/dashboard`,
      sellerId,
    });
  }
}

/**
 * Lifts a suspension (product §4, product R20): exactly the slots that it paused go on, each with the time it had left; those that
 * an admin paused stay paused. The seller is told. Refuses `sellers.notFound`, `conflict` when the seller is not suspended.
 */
export async function unsuspendSeller(ctx: Ctx, sellerId: string): Promise<Suspended> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    await waitForQueueRun(tx);
    const seller = await lockSeller(tx, sellerId);
    if (!seller.suspended) throw new Refusal('conflict');
    const now = tx.now();
    const { sellers, slots, products } = schema;
    await tx.db.update(sellers).set({ suspended: false, suspendedReason: null, suspendedAt: null, updatedAt: now }).where(eq(sellers.id, sellerId));
    const paused = await tx.db
      .select({ id: slots.id, remaining: slots.remainingDuration, duration: products.durationSeconds })
      .from(slots)
      .innerJoin(products, eq(products.id, slots.productId))
      .where(and(eq(products.sellerId, sellerId), eq(slots.pausedBy, 'suspension')))
      .orderBy(asc(slots.id))
      .for('update', { of: slots });
    for (const { id, remaining, duration } of paused) {
      const seconds = remaining ?? duration ?? resumeFallbackSeconds;
      await tx.db
        .update(slots)
        .set({ pausedAt: null, pausedBy: null, remainingDuration: null, endTime: new Date(now.getTime() + seconds * 1000), updatedAt: now })
        .where(eq(slots.id, id));
    }
    const slotIds = paused.map((slot) => slot.id);
    await audit(tx, {
      action: 'seller.unsuspend',
      subjectKind: 'seller',
      subjectId: sellerId,
      before: { suspended: true, reason: seller.suspendedReason, since: seller.suspendedAt },
      after: { suspended: false, resumedSlots: slotIds },
    });
    await tellSeller(tx, seller, 'sellerUnsuspended', {}, 'seller/dashboard');
    return { id: sellerId, slotIds };
  });
}

/**
 * Waits for a run of process-queue and keeps the next one out until this transaction ends: that run looks at its sellers once, so a
 * suspension or deletion in its middle would be followed by a live slot.
 */
export async function waitForQueueRun(tx: Ctx): Promise<void> {
  await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended('process-queue', 54))`);
}

/** Locks a seller until the transaction ends; what needs the seller in good standing (approval, submission) waits. Refuses `sellers.notFound`. */
export async function lockSeller(tx: Ctx, sellerId: string): Promise<SellerRow> {
  const [seller] = await tx.db.select().from(schema.sellers).where(eq(schema.sellers.id, sellerId)).for('update');
  if (!seller) throw new Refusal('sellers.notFound');
  return seller;
}

/** The language that a seller last used: mails are written in it. */
export async function languageOf(tx: Ctx, { userId }: Pick<SellerRow, 'userId'>): Promise<Language> {
  const [person] = userId ? await tx.db.select({ language: schema.user.language }).from(schema.user).where(eq(schema.user.id, userId)) : [];
  return person?.language ?? 'en';
}

/** Writes a mail to a seller in the transaction of what it tells. */
export async function tellSeller(tx: Ctx, seller: SellerRow, kind: MailKind, params: Record<string, string> = {}, path?: string): Promise<void> {
  const language = await languageOf(tx, seller);
  await writeMail(tx, {
    to: seller.email,
    name: seller.name,
    language,
    kind,
    params,
    ...(path ? { link: `${tx.services.env.publicUrl}/${language}/${path}` } : {}),
    sellerId: seller.id,
  });
}
