import { asc, inArray } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';

const { refunds: r } = schema;
type Refund = typeof r.$inferSelect;

/** Refunds of these purchases, oldest first. */
export async function refundsOf(
  { db }: Pick<Ctx, 'db'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Refund[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select()
    .from(r)
    .where(inArray(r.purchaseId, [...ids]))
    .orderBy(asc(r.at), asc(r.id));
  return Map.groupBy(rows, ({ purchaseId }) => purchaseId);
}

export const presentRefund = ({
  amount,
  currency,
  creditsDue,
  creditsTaken,
  reference,
  reason,
  status,
  failure,
  at,
}: Refund) => ({
  ...{ amount, currency, creditsDue, creditsTaken, reference, reason, status, failure },
  at: at.toISOString(),
});
