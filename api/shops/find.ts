import { and, eq, gt, isNull, or } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { slugKeptDays } from '../sellers/rules.ts';

/** A seller whose shop has a page; it holds numbers, so it must not leave the server. */
export type OpenShop = typeof schema.sellers.$inferSelect & { businessName: string };
export type FoundShop =
  | { kind: 'open'; slug: string; seller: OpenShop }
  | { kind: 'moved'; slug: string };

/**
 * The shop of a slug, or the present slug of one that had it in the last year. Undefined if no shop
 * may be shown: its seller has no shop's name, is suspended or is leaving (product R50).
 */
export async function findShop(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  slug: string,
): Promise<FoundShop | undefined> {
  const { shopSlugs: t, sellers: s } = schema;
  const since = new Date(now().getTime() - slugKeptDays * 86_400_000);
  const [row] = await db
    .select({ seller: s, leftAt: t.leftAt })
    .from(t)
    .innerJoin(s, eq(s.id, t.sellerId))
    .where(
      and(
        eq(t.slug, slug),
        or(isNull(t.leftAt), gt(t.leftAt, since)),
        eq(s.suspended, false),
        isNull(s.leavingAt),
      ),
    );
  const name = row?.seller.businessName;
  if (!row || !name) return undefined;
  if (row.leftAt === null)
    return { kind: 'open', slug, seller: { ...row.seller, businessName: name } };
  const [present] = await db
    .select({ slug: t.slug })
    .from(t)
    .where(and(eq(t.sellerId, row.seller.id), isNull(t.leftAt)));
  return present && { kind: 'moved', slug: present.slug };
}
