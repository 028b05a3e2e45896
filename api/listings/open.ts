import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Tx } from '../core/context.ts';
import { readSettings } from '../settings/values.ts';
import type { Listing } from './reads.ts';
import { feeFor, feeReferenceOf, type ListingType } from './rules.ts';

/** Fee in XAF and its reference; both null if fees are not tracked. */
export type Owed = { fee: number | null; feeReference: string | null };

/**
 * Prices a listing whose product had no duration when it opened (decision 038), unless it was in a
 * slot: past time is not charged. The caller has locked the product.
 */
export async function priceListing(
  tx: Tx,
  listing: Listing,
  product: Parameters<typeof feeFor>[0],
): Promise<Owed> {
  const { trackFees } = await readSettings(tx, ['trackFees']);
  const fee = feeFor(product);
  if (
    !trackFees ||
    fee === null ||
    listing.fee !== null ||
    listing.startedAt !== null ||
    listing.endedAt !== null
  )
    return { fee: null, feeReference: null };
  const feeReference = feeReferenceOf(randomUUID());
  await tx.db
    .update(schema.listings)
    .set({ fee, feeState: 'due', feeReference })
    .where(eq(schema.listings.id, listing.id));
  return { fee, feeReference };
}

/**
 * Opens a product's first or next listing with its own fee (product R2, R31). The caller has
 * created the product, or locked it and found no open listing.
 */
export async function openListing(
  tx: Tx,
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
