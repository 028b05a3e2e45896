import { eq } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import type { Ctx } from '../../core/context.ts';

/** Keys by which every section finds the person's rows. */
export type Owner = { userId: string; sellerId: string | null; productIds: string[] };
export type Row = Record<string, unknown>;
/** Table of the download: a list in `data.json` and a CSV with these columns. */
export type Section = {
  name: string;
  columns: readonly string[];
  read(ctx: Ctx, owner: Owner): Promise<Row[]>;
};

export const section = <Column extends string>(
  name: string,
  columns: readonly Column[],
  read: (ctx: Ctx, owner: Owner) => PromiseLike<Record<Column, unknown>[]>,
): Section => ({ name, columns, read: async (ctx, owner) => read(ctx, owner) });

export async function ownerOf({ db }: Ctx, userId: string): Promise<Owner> {
  const { products, sellers } = schema;
  const [seller] = await db
    .select({ id: sellers.id })
    .from(sellers)
    .where(eq(sellers.userId, userId));
  const owned = seller
    ? await db.select({ id: products.id }).from(products).where(eq(products.sellerId, seller.id))
    : [];
  return { userId, sellerId: seller?.id ?? null, productIds: owned.map(({ id }) => id) };
}
