import { and, eq, isNull, like, lte, or } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { lockNamed } from '../core/transaction.ts';
import { Refusal } from '../shared/errors.ts';
import { dayAndTime } from '../shared/format.ts';
import { deletesUntil } from '../shared/retention/deletesUntil.ts';
import { shopSlugOf } from '../shared/slugs/shopSlug.ts';
import { shopNameChanges } from './rules.ts';

const { shopSlugs: t } = schema;
const dayMs = 86_400_000;

/**
 * Gives a shop the slug of its name; an old one redirects to it for a
 * year. Without a name, the shop leaves its slug. Refuses `sellers.shopRenamedOften`.
 */
export async function keepShopSlug(tx: Tx, sellerId: string, name: string | null): Promise<void> {
  // One at a time: two shops of one name never take the same slug.
  await lockNamed(tx, 'shop-slugs');
  const own = await tx.db.select().from(t).where(eq(t.sellerId, sellerId));
  const present = own.find(({ leftAt }) => leftAt === null);
  if (name === null) return leaveShopSlug(tx, sellerId);
  const base = shopSlugOf(name, sellerId);
  if (present && isOf(base, present.slug)) return;
  const before = own.find(({ slug }) => isOf(base, slug));
  if (!before) requireFewChanges(tx, own);
  await forgetShopSlugs(tx);
  await leaveShopSlug(tx, sellerId);
  // Read after the deletion: an own slug may have been over.
  const [kept] = before
    ? await tx.db
        .update(t)
        .set({ leftAt: null })
        .where(and(eq(t.slug, before.slug), eq(t.sellerId, sellerId)))
        .returning({ slug: t.slug })
    : [];
  if (kept) return;
  await tx.db.insert(t).values({ slug: await freeSlug(tx, base), sellerId, takenAt: tx.now() });
}

/** Frees a shop's slug in a year; until then nobody else has it. */
export async function leaveShopSlug(tx: Tx, sellerId: string): Promise<void> {
  await tx.db
    .update(t)
    .set({ leftAt: tx.now() })
    .where(and(eq(t.sellerId, sellerId), isNull(t.leftAt)));
}

/** True for a slug and for the same with a number, as a later shop of that name has. */
const isOf = (base: string, slug: string): boolean =>
  slug === base || (slug.startsWith(`${base}-`) && /^\d{1,6}$/.test(slug.slice(base.length + 1)));

async function freeSlug(tx: Tx, base: string): Promise<string> {
  const rows = await tx.db
    .select({ slug: t.slug })
    .from(t)
    .where(or(eq(t.slug, base), like(t.slug, `${base}-%`)));
  const taken = new Set(rows.map(({ slug }) => slug));
  if (!taken.has(base)) return base;
  let n = 2;
  while (taken.has(`${base}-${n}`)) n++;
  return `${base}-${n}`;
}

/** Each name keeps its slug for a year, so names cannot be collected without a limit. */
function requireFewChanges(tx: Tx, own: readonly { takenAt: Date }[]): void {
  const since = tx.now().getTime() - shopNameChanges.days * dayMs;
  const recent = own
    .map(({ takenAt }) => takenAt.getTime())
    .filter((at) => at > since)
    .sort((a, b) => b - a);
  const oldest = recent[shopNameChanges.max - 1];
  if (oldest === undefined) return;
  const again = new Date(oldest + shopNameChanges.days * dayMs);
  throw new Refusal('sellers.shopRenamedOften', { day: dayAndTime(again, tx.language) }, [], {
    retryAfter: Math.ceil((again.getTime() - tx.now().getTime()) / 1000),
  });
}

/** Deletes slugs whose period is over; returns how many. */
export async function forgetShopSlugs(ctx: Pick<Ctx, 'db' | 'now'>): Promise<number> {
  const until = deletesUntil(ctx, 'forget-old-rows', 'shop_slugs');
  return until ? (await ctx.db.delete(t).where(lte(t.leftAt, until))).count : 0;
}
