import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { lockOccupied, type Product } from '../listings/locks.ts';
import { corrected } from '../products/bilingual.ts';
import { placeOf } from '../products/place.ts';
import { hasCondition } from '../products/schema.ts';
import { Refusal } from '../shared/errors.ts';
import type { SlotEdit } from './schema.ts';

export type EditedSlot = {
  slotId: number;
  endTime: string | null;
  remainingSeconds: number | null;
};

/**
 * Saves the edit dialog (product §4, §7 “Update products”; product R7, R8): the slot ends at now
 * plus the duration; a paused one keeps it as time left. The product's own duration, which prices
 * its next listing, stays (decision 038). Refuses as {@link lockOccupied} does, and
 * `products.changed`; `validation` for a condition where the category has none.
 */
export async function editSlot(ctx: Ctx, slotId: number, changes: SlotEdit): Promise<EditedSlot> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { slots, products } = schema;
    const { slot, product } = await lockOccupied(tx, slotId, changes.productId);
    if (
      changes.seen !== undefined &&
      new Date(changes.seen).getTime() !== product.updatedAt.getTime()
    )
      throw new Refusal('products.changed');
    if (changes.condition && !hasCondition(product.category))
      throw new Refusal('validation', {}, [{ path: 'condition', code: 'invalid' }]);
    const now = tx.now();
    const seconds = changes.durationHours * 3600;
    const endTime = slot.pausedAt ? slot.endTime : new Date(now.getTime() + seconds * 1000);
    const remaining = slot.pausedAt ? seconds : null;
    const flag =
      changes.isFeatured !== undefined && changes.isFeatured !== slot.isFeatured
        ? { isFeatured: changes.isFeatured }
        : {};
    await tx.db
      .update(slots)
      .set({ endTime, remainingDuration: remaining, ...flag, updatedAt: now })
      .where(eq(slots.id, slotId));
    const fields = changedFields(product, changes);
    await tx.db
      .update(products)
      .set({ ...fields, updatedAt: now })
      .where(eq(products.id, product.id));
    const before = Object.fromEntries(
      Object.keys(fields).map((key) => [key, product[key as keyof Product]]),
    );
    await audit(tx, {
      action: 'slot.edit',
      subjectKind: 'slot',
      subjectId: String(slotId),
      before: {
        productId: product.id,
        ...(slot.pausedAt
          ? { remainingSeconds: slot.remainingDuration }
          : { endTime: slot.endTime.toISOString() }),
        ...('isFeatured' in flag ? { isFeatured: slot.isFeatured } : {}),
        product: before,
      },
      after: {
        productId: product.id,
        ...(slot.pausedAt ? { remainingSeconds: seconds } : { endTime: endTime.toISOString() }),
        ...flag,
        product: fields,
      },
    });
    return {
      slotId,
      endTime: slot.pausedAt ? null : endTime.toISOString(),
      remainingSeconds: remaining,
    };
  });
}

function changedFields(product: Product, changes: SlotEdit): Partial<Product> {
  const wanted: Partial<Product> = {
    ...(changes.name ? { name: corrected(product.name, changes.name) } : {}),
    ...(changes.description
      ? { description: corrected(product.description, changes.description) }
      : {}),
    ...(changes.price === undefined ? {} : { price: changes.price }),
    ...(changes.sellerLocation === undefined ? {} : placeOf(changes.sellerLocation)),
    ...(changes.condition === undefined ? {} : { condition: changes.condition }),
    ...(changes.businessName === undefined ? {} : { businessName: changes.businessName || null }),
  };
  return Object.fromEntries(
    Object.entries(wanted).filter(([key, value]) => !same(product[key as keyof Product], value)),
  );
}

function same(before: unknown, after: unknown): boolean {
  if (typeof after !== 'object' || after === null) return before === after;
  return (
    typeof before === 'object' &&
    before !== null &&
    (['en', 'fr', 'written'] as const).every(
      (key) => (before as Record<string, unknown>)[key] === (after as Record<string, unknown>)[key],
    )
  );
}
