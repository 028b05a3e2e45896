import { and, eq, isNull } from 'drizzle-orm';
import type { EndReason } from '../../api/listings/end.ts';
import { type Db, schema } from '../../db/client.ts';

const { listings, slots } = schema;

/** Ends a product's open listing as the market does, in the given transaction. */
export async function endOf(
  tx: Pick<Db, 'update'>,
  productId: string,
  endedAt: Date,
  endReason: EndReason = 'time',
): Promise<void> {
  await tx
    .update(slots)
    .set({
      active: false,
      productId: null,
      startTime: null,
      endTime: null,
      pausedAt: null,
      pausedBy: null,
      remainingDuration: null,
    })
    .where(eq(slots.productId, productId));
  await tx
    .update(listings)
    .set({ endedAt, endReason })
    .where(and(eq(listings.productId, productId), isNull(listings.endedAt)));
}
