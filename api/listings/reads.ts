import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';

const { listings, products } = schema;

export type Listing = typeof listings.$inferSelect;

/** The latest listing of a product: the open one, or the one that ended last. Nothing for a product that an import left without. */
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

/** Joins the latest listing to a row of `products`. */
export const isLatest: SQL = and(
  eq(listings.productId, products.id),
  sql`${listings.number} = (select max(l.number) from listings l where l.product_id = ${products.id})`,
) as SQL;

/** On a row of `products`: its listing is open. */
export const isOpen: SQL<boolean> = sql<boolean>`exists (select 1 from listings l where l.product_id = ${products.id} and l.ended_at is null)`;
/** On a row of `products`: one of its listings has been in a slot. */
export const wasShown: SQL<boolean> = sql<boolean>`exists (select 1 from listings l where l.product_id = ${products.id} and l.started_at is not null)`;
/** On a row of `products`: its last listing ended at a moment or before. */
export const endedBy = (moment: Date): SQL =>
  sql`(select bool_and(l.ended_at is not null and l.ended_at <= ${moment.toISOString()}::timestamptz) from listings l where l.product_id = ${products.id})`;
