import { sql } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import type { receiptSeries } from '../../../db/vocabularies.ts';
import type { Tx } from '../../core/context.ts';
import type { Purchase } from '../../core/ports.ts';
import { readSettings } from '../../settings/values.ts';
import { nameOf } from './names.ts';

const { receiptCounters: c, receipts } = schema;

/**
 * Issues the receipt of a purchase that was just paid, or the credit note of a refund, in the open
 * transaction; returns its name. Call it after all other locks: it holds the counter until the
 * commit, so that numbers have no gaps.
 */
export async function issueReceipt(
  tx: Tx,
  { id }: Pick<Purchase, 'id'>,
  { testMode, refundId = null }: { testMode: boolean; refundId?: string | null },
): Promise<string> {
  const series: (typeof receiptSeries)[number] =
    refundId === null
      ? testMode
        ? 'testReceipt'
        : 'receipt'
      : testMode
        ? 'testCreditNote'
        : 'creditNote';
  const { operatorName, operatorAddress, operatorTaxNumber } = await readSettings(tx, [
    ...(['operatorName', 'operatorAddress', 'operatorTaxNumber'] as const),
  ]);
  const [counter] = await tx.db
    .insert(c)
    .values({ series, last: 1 })
    .onConflictDoUpdate({ target: c.series, set: { last: sql`${c.last} + 1` } })
    .returning();
  if (!counter) throw new Error('A receipt got no number');
  const receipt = { series, number: counter.last };
  await tx.db.insert(receipts).values({
    ...receipt,
    ...{ purchaseId: id, refundId, at: tx.now() },
    issuer: { name: operatorName, address: operatorAddress, taxNumber: operatorTaxNumber },
  });
  return nameOf(receipt);
}
