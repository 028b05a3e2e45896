import { eq, inArray } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Bilingual, Language } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';

export type Recipient = { sellerId: string; email: string; name: string; language: Language; product: { id: string; slug: string; name: Bilingual | null } };

/** Whom to tell about products: each product's seller, in the language the person last used. Products without a seller tell nobody. */
export async function recipientsOf(ctx: Ctx, productIds: readonly string[]): Promise<Recipient[]> {
  const { products, sellers, user } = schema;
  if (productIds.length === 0) return [];
  const rows = await ctx.db
    .select({
      sellerId: sellers.id,
      email: sellers.email,
      name: sellers.name,
      language: user.language,
      id: products.id,
      slug: products.slug,
      productName: products.name,
    })
    .from(products)
    .innerJoin(sellers, eq(sellers.id, products.sellerId))
    .leftJoin(user, eq(user.id, sellers.userId))
    .where(inArray(products.id, [...productIds]));
  return rows.map(({ id, slug, productName, language, ...person }) => ({ ...person, language: language ?? 'en', product: { id, slug, name: productName } }));
}
