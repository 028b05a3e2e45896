import { and, eq, inArray, or } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { requireAccount } from '../../core/access.ts';
import type { Ctx } from '../../core/context.ts';
import { Refusal } from '../../shared/errors.ts';
import { nameOf, readName } from './names.ts';

const { receipts: r, refunds, purchases: p, creditAccounts: a } = schema;
const { listings: l, products, sellers, user } = schema;

type Presented = {
  name: string;
  isCreditNote: boolean;
  issuer: (typeof r.$inferSelect)['issuer'];
  at: string;
};

/** Receipts and credit notes of these purchases, oldest first. */
export async function receiptsOf(
  { db }: Pick<Ctx, 'db'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Presented[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select()
    .from(r)
    .where(inArray(r.purchaseId, [...ids]))
    .orderBy(r.at, r.number);
  const named = rows.map(({ at, refundId, purchaseId, issuer, ...row }) => ({
    purchaseId,
    receipt: {
      ...{ name: nameOf(row), isCreditNote: refundId !== null, issuer },
      at: at.toISOString(),
    },
  }));
  return new Map(
    [...Map.groupBy(named, ({ purchaseId }) => purchaseId)].map(([id, own]) => [
      id,
      own.map(({ receipt }) => receipt),
    ]),
  );
}

/**
 * A receipt with all it says, of one's own purchase or for an admin. Refuses `payments.notFound`.
 */
export async function readReceipt(ctx: Ctx, name: string) {
  const { userId, kind } = requireAccount(ctx);
  const wanted = readName(name);
  const [found] = wanted
    ? await ctx.db
        .select({ receipt: r, purchase: p, refund: refunds, product: products.name, buyer: user })
        .from(r)
        .innerJoin(p, eq(p.id, r.purchaseId))
        .leftJoin(refunds, eq(refunds.id, r.refundId))
        .leftJoin(a, eq(a.number, p.member))
        .leftJoin(l, eq(l.id, p.listingId))
        .leftJoin(products, eq(products.id, l.productId))
        .leftJoin(sellers, eq(sellers.id, products.sellerId))
        .leftJoin(user, or(eq(user.id, a.userId), eq(user.id, sellers.userId)))
        .where(and(eq(r.series, wanted.series), eq(r.number, wanted.number)))
    : [];
  if (!found || (kind !== 'admin' && found.buyer?.id !== userId))
    throw new Refusal('payments.notFound');
  const { receipt, purchase, refund, product, buyer } = found;
  return {
    name,
    testMode: receipt.series.startsWith('test'),
    ...{ at: receipt.at, issuer: receipt.issuer, buyer: buyer?.name ?? null },
    ...{ purchase, refund, product },
  };
}
export type Receipt = Awaited<ReturnType<typeof readReceipt>>;
