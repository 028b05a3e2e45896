import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { readSettings } from '../core/settings.ts';
import { feeFor, feeReferenceOf, type ListingType } from './rules.ts';

/** What a listing owes, in XAF, under which reference; both nothing where fees are not tracked. */
export type Owed = { fee: number | null; feeReference: string | null };

/**
 * Opens a listing of a product, its first or another one: its own fee is due, and nothing of an earlier one is touched (product R2, R31).
 * Part of a transaction that made the product, or has locked it and found its last listing ended.
 */
export async function openListing(
  tx: Ctx,
  product: { id: string; durationSeconds: number | null; listingType: ListingType },
  referenceOf: () => string = () => feeReferenceOf(randomUUID()),
): Promise<Owed> {
  const { listings } = schema;
  const { trackFees } = await readSettings(tx, ['trackFees']);
  const fee = trackFees ? feeFor(product) : null;
  const feeReference = fee === null ? null : referenceOf();
  const number = tx.db
    .select({ next: sql`coalesce(max(${listings.number}), 0) + 1` })
    .from(listings)
    .where(eq(listings.productId, product.id));
  await tx.db.insert(listings).values({
    productId: product.id,
    number: sql`(${number})`,
    openedAt: tx.now(),
    ...(fee === null ? {} : { fee, feeState: 'due', feeReference }),
  });
  return { fee, feeReference };
}
