import { and, asc, eq, getTableColumns, type SQL } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Tx } from '../core/context.ts';
import { record, spotsOf } from '../listings/log.ts';

export type Suspended = { id: string; slotIds: number[] };

/** Locks a seller's occupied slots that match, by number. */
export async function slotsOf(tx: Tx, sellerId: string, which: SQL) {
  const { slots, products } = schema;
  const rows = await tx.db
    .select({ slot: getTableColumns(slots), durationSeconds: products.durationSeconds })
    .from(slots)
    .innerJoin(products, eq(products.id, slots.productId))
    .where(and(eq(products.sellerId, sellerId), which))
    .orderBy(asc(slots.id))
    .for('update', { of: slots });
  return rows.flatMap(({ slot, ...row }) =>
    slot.endTime ? [{ ...row, slot: { ...slot, endTime: slot.endTime } }] : [],
  );
}

/** Logs that waiting products are skipped, or no longer; they keep their places (product R20). */
export async function passOver(tx: Tx, sellerId: string, held: boolean): Promise<void> {
  const { products } = schema;
  const own = await tx.db
    .select({ id: products.id })
    .from(products)
    .where(eq(products.sellerId, sellerId));
  const waiting = await spotsOf(
    tx,
    own.map(({ id }) => id),
  );
  for (const [queueName, items] of Map.groupBy(waiting, (item) => item.queueName))
    await record(
      tx,
      queueName,
      items.map(({ productId, band, position }) =>
        held
          ? { act: 'hold', reason: 'suspended', productId, from: { band, position } }
          : { act: 'release', reason: 'unsuspended', productId, to: { band, position } },
      ),
    );
}
