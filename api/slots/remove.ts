import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { writeMail } from '../core/outbox.ts';
import { inTransaction } from '../core/transaction.ts';
import { nameIn } from '../products/present.ts';
import { recipientsOf } from '../products/recipients.ts';
import { enqueue } from '../queue/enqueue.ts';
import { lockOccupied, secondsLeft } from './pause.ts';
import { emptySlots } from './release.ts';
import { slotNumber } from './rules.ts';

export type RemovedFromSlot = { slotId: number; productId: string; requeued: boolean; remainingSeconds: number | null };

/**
 * Removes what is in a slot (product §4, product R2): the slot is empty, its engagement back to zero, the listing has ended, and
 * the seller is told. With `requeue` the product waits at the back of its lane instead, and its place in line keeps the time
 * left, which the next automatic assignment gives exactly; the duration that its seller chose stays as it is.
 * Refuses as {@link lockOccupied} does, and `slots.expired` when no time is left to wait with.
 */
export async function removeFromSlot(
  ctx: Ctx,
  slotId: number,
  { productId, requeue = false }: { productId: string; requeue?: boolean },
): Promise<RemovedFromSlot> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { products } = schema;
    const occupied = await lockOccupied(tx, slotId, productId);
    const { slot } = occupied;
    const now = tx.now();
    const left = secondsLeft(occupied, now);
    if (requeue && left === 0) throw new Refusal('slots.expired');
    await emptySlots(tx, [slotId]);
    await tx.db
      .update(products)
      .set(requeue ? { updatedAt: now } : { listingEndedAt: now, updatedAt: now })
      .where(eq(products.id, productId));
    if (requeue) {
      const { queueName } = await enqueue(tx, productId, { remainingSeconds: left });
      await audit(tx, {
        action: 'product.requeue',
        subjectKind: 'product',
        subjectId: productId,
        before: { slotId },
        after: { queueName, remainingSeconds: left },
      });
    }
    await audit(tx, {
      action: 'slot.remove',
      subjectKind: 'slot',
      subjectId: String(slotId),
      before: {
        productId,
        startTime: slot.startTime?.toISOString(),
        ...(slot.pausedAt ? { pausedAt: slot.pausedAt.toISOString(), pausedBy: slot.pausedBy } : { endTime: slot.endTime.toISOString() }),
        remainingSeconds: left,
      },
      after: { productId: null, requeued: requeue },
    });
    for (const person of await recipientsOf(tx, [productId])) {
      await writeMail(tx, {
        to: person.email,
        name: person.name,
        language: person.language,
        kind: requeue ? 'listingRequeued' : 'listingStopped',
        params: {
          product: nameIn(person.product.name, person.language),
          slot: slotNumber(slotId),
          ...(requeue ? { duration: inWords(left, person.language) } : {}),
        },
        link: `${tx.services.env.publicUrl}/${person.language}/seller/dashboard`,
        sellerId: person.sellerId,
      });
    }
    return { slotId, productId, requeued: requeue, remainingSeconds: requeue ? left : null };
  });
}

/** A span of time by its two largest units: "2 days 5 hours", "5 hours 20 minutes"; never less than a minute. */
function inWords(seconds: number, language: Language): string {
  const say = translator(language, 'common');
  const minutes = Math.max(1, Math.floor(seconds / 60));
  const parts = [
    [Math.floor(minutes / 1440), 'duration.days'],
    [Math.floor(minutes / 60) % 24, 'duration.hours'],
    [minutes % 60, 'duration.minutes'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => say(unit, { count }))
    .join(' ');
}
