import { and, eq, isNull } from 'drizzle-orm';
import type { EndReason } from '../../api/listings/end.ts';
import { type Db, schema } from '../../db/client.ts';

const { listings, slots } = schema;

/** Ends the open listing of a product as the market does: its slot is empty, and the end stamped, in the transaction that it is given. */
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
