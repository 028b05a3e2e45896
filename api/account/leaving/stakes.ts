import { and, eq, gte, inArray, isNotNull, isNull } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import type { Ctx } from '../../core/context.ts';

const { connectPosts: p, creditAccounts, listings, products, sellers } = schema;

/**
 * Counts listings and posts that a deletion ends, or has ended since `leavingAt`, and the credits
 * lost. The ledger cannot separate bought credits, so it is the whole balance.
 */
export async function stakesOf({ db }: Pick<Ctx, 'db'>, userId: string, leavingAt: Date | null) {
  const open = and(isNull(listings.endedAt), inArray(products.status, ['approved', 'active']));
  const ended = leavingAt && and(eq(listings.endReason, 'left'), gte(listings.endedAt, leavingAt));
  const listed = await db
    .select({ id: listings.id })
    .from(listings)
    .innerJoin(products, eq(products.id, listings.productId))
    .innerJoin(sellers, eq(sellers.id, products.sellerId))
    .where(and(eq(sellers.userId, userId), ended ?? open));
  const closing = leavingAt ? isNotNull(p.leftAt) : eq(p.status, 'active');
  const [credits] = await db
    .select({ balance: creditAccounts.balance })
    .from(creditAccounts)
    .where(eq(creditAccounts.userId, userId));
  return {
    listings: listed.length,
    // Posts hidden by an admin are already closed to others.
    posts: await db.$count(p, and(eq(p.userId, userId), isNull(p.hiddenAt), closing)),
    credits: credits?.balance ?? 0,
  };
}
