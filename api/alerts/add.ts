import { and, count, eq, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { formsOf } from '../search/query.ts';
import { queryOf } from '../search/rules.ts';
import { Refusal } from '../shared/errors.ts';
import { searchWords } from '../shared/search.ts';
import { findShop } from '../shops/find.ts';
import { askedOf, mostAlerts, notBefore, type Pace } from './rules.ts';

const { alerts: a, user } = schema;

/**
 * Tells the account of new listings that fit a search, or of a shop's. The same alert again changes
 * its pace. Refuses `signInRequired`, `alerts.empty`, `alerts.tooMany`, `sellers.shopNotFound`.
 */
export async function addAlert(
  ctx: Ctx,
  { search, shop, pace }: { search: string; shop: string; pace: Pace },
): Promise<void> {
  const { userId } = requireAccount(ctx);
  const about = shop ? { sellerId: await sellerOf(ctx, shop) } : searchOf(search);
  await inTransaction(ctx, async ({ db, now }) => {
    await db.select({ id: user.id }).from(user).where(eq(user.id, userId)).for('no key update');
    const state = { pace, pausedAt: null, notBefore: notBefore(now(), pace) };
    const same = 'sellerId' in about ? eq(a.sellerId, about.sellerId) : eq(a.query, about.query);
    const changed = await db
      .update(a)
      .set(state)
      .where(and(eq(a.userId, userId), same))
      .returning({ id: a.id });
    if (changed.length > 0) return;
    const [own] = await db.select({ count: count() }).from(a).where(eq(a.userId, userId));
    if (Number(own?.count) >= mostAlerts) throw new Refusal('alerts.tooMany', { most: mostAlerts });
    const [made] = await db
      .insert(a)
      .values({ userId, ...about, ...state, madeAt: now() })
      .returning({ query: a.query, words: a.words });
    // Words of which a search makes nothing would fit every listing.
    if (made?.words === null && askedOf(made.query).q) throw new Refusal('alerts.empty');
  });
}

async function sellerOf(ctx: Ctx, slug: string): Promise<string> {
  const found = await findShop(ctx, slug);
  if (found?.kind === 'moved') return sellerOf(ctx, found.slug);
  if (!found) throw new Refusal('sellers.shopNotFound');
  return found.seller.id;
}

function searchOf(search: string) {
  const asked = askedOf(search);
  const query = queryOf(asked);
  if (query === '') throw new Refusal('alerts.empty');
  const { q, category, condition, region, min, max, lane, verified } = asked;
  return {
    query,
    words: q ? sql<string>`search_query(${sql.param(formsOf(searchWords(q)))}::text[])` : null,
    category: category ?? null,
    condition: condition ?? null,
    regionKey: region ?? null,
    min: min ?? null,
    max: max ?? null,
    premium: lane ? lane === 'premium' : null,
    verified: verified ?? null,
  };
}
