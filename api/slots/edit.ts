import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { inTransaction } from '../core/transaction.ts';
import type { OwnProduct } from '../products/own.ts';
import { lockOccupied } from './pause.ts';
import type { SlotEdit } from './schema.ts';

export type EditedSlot = { slotId: number; endTime: string | null; remainingSeconds: number | null };

/**
 * Saves the edit dialog of a slot (product §4, §7 “Update products”; product R7, R8): the end is now plus the chosen duration, on
 * every save; a paused slot stays paused with that as its time left. The featured flag is written only if it changed.
 * Answers the new end, or the time left. Refuses as {@link lockOccupied} does, and `products.changed` for a version that nobody saw.
 */
export async function editSlot(ctx: Ctx, slotId: number, wish: SlotEdit): Promise<EditedSlot> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { slots, products } = schema;
    const { slot, product } = await lockOccupied(tx, slotId, wish.productId);
    if (wish.seen !== undefined && new Date(wish.seen).getTime() !== product.updatedAt.getTime()) throw new Refusal('products.changed');
    const now = tx.now();
    const seconds = wish.durationHours * 3600;
    const endTime = slot.pausedAt ? slot.endTime : new Date(now.getTime() + seconds * 1000);
    const remaining = slot.pausedAt ? seconds : null;
    const flag = wish.isFeatured !== undefined && wish.isFeatured !== slot.isFeatured ? { isFeatured: wish.isFeatured } : {};
    await tx.db
      .update(slots)
      .set({ endTime, remainingDuration: remaining, ...flag, updatedAt: now })
      .where(eq(slots.id, slotId));
    const fields = { ...changedFields(product, wish), ...(product.durationSeconds === seconds ? {} : { durationSeconds: seconds }) };
    await tx.db
      .update(products)
      .set({ ...fields, updatedAt: now })
      .where(eq(products.id, product.id));
    const before = Object.fromEntries(Object.keys(fields).map((key) => [key, product[key as keyof OwnProduct]]));
    await audit(tx, {
      action: 'slot.edit',
      subjectKind: 'slot',
      subjectId: String(slotId),
      before: {
        productId: product.id,
        ...(slot.pausedAt ? { remainingSeconds: slot.remainingDuration } : { endTime: slot.endTime.toISOString() }),
        ...('isFeatured' in flag ? { isFeatured: slot.isFeatured } : {}),
        product: before,
      },
      after: { productId: product.id, ...(slot.pausedAt ? { remainingSeconds: seconds } : { endTime: endTime.toISOString() }), ...flag, product: fields },
    });
    return { slotId, endTime: slot.pausedAt ? null : endTime.toISOString(), remainingSeconds: remaining };
  });
}

/** The product's columns that the dialog really changes. */
function changedFields(product: OwnProduct, wish: SlotEdit): Partial<OwnProduct> {
  const text = ({ en, fr }: { en: string; fr?: string | undefined }) => ({ en, ...(fr ? { fr } : {}) });
  const city = wish.city ?? product.city;
  const region = wish.region ?? product.region;
  const moved = wish.city !== undefined || wish.region !== undefined;
  const wanted: Partial<OwnProduct> = {
    ...(wish.name ? { name: text(wish.name) } : {}),
    ...(wish.description ? { description: text(wish.description) } : {}),
    ...(wish.price === undefined ? {} : { price: wish.price }),
    // The seller's own form shows the two as one: it must not bring the old place back.
    ...(moved ? { city, region, sellerLocation: [city, region].filter(Boolean).join(', ') } : {}),
    ...(wish.businessName === undefined ? {} : { businessName: wish.businessName || null }),
  };
  return Object.fromEntries(Object.entries(wanted).filter(([key, value]) => !same(product[key as keyof OwnProduct], value)));
}

function same(before: unknown, after: unknown): boolean {
  const { en, fr } = (after ?? {}) as { en?: string; fr?: string };
  if (en === undefined) return before === after;
  return typeof before === 'object' && before !== null && (before as { en?: string }).en === en && (before as { fr?: string }).fr === fr;
}
