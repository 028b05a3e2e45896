import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';

const { listings, products } = schema;

export type Listing = typeof listings.$inferSelect;

/** Open or else last listing of a product; undefined for an imported product without one. */
export async function latestListing(
  { db }: Pick<Ctx, 'db'>,
  productId: string,
): Promise<Listing | undefined> {
  const [listing] = await db
    .select()
    .from(listings)
    .where(eq(listings.productId, productId))
    .orderBy(desc(listings.number))
    .limit(1);
  return listing;
}

export const isLatest: SQL = and(
  eq(listings.productId, products.id),
  sql`${listings.number} = (select max(l.number) from listings l where l.product_id = ${products.id})`,
) as SQL;

export const isOpen: SQL<boolean> = sql<boolean>`exists (select 1 from listings l
  where l.product_id = ${products.id} and l.ended_at is null)`;
export const wasShown: SQL<boolean> = sql<boolean>`exists (select 1 from listings l
  where l.product_id = ${products.id} and l.started_at is not null)`;
export const endedBy = (moment: Date): SQL =>
  sql`(select bool_and(l.ended_at is not null and l.ended_at <= ${moment.toISOString()}::timestamptz)
    from listings l where l.product_id = ${products.id})`;
