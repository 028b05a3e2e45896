import { and, asc, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { schema } from '../../../db/client.ts';
import { requireAdmin } from '../../core/access.ts';
import type { Ctx } from '../../core/context.ts';
import { totalOf } from '../../core/counts.ts';
import { isOpen } from '../../listings/reads.ts';
import { nameIn } from '../../shared/format.ts';
import { adminCan, type MissingField, missingFields } from '../rules.ts';

/** Characters that JavaScript's `trim()` removes, so that SQL judges blank text alike. */
const blanks =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

const trimmed = (text: SQL | PgColumn) =>
  sql`btrim(coalesce(${text}, ''), ${sql.raw(`'${blanks}'`)})`;

const english = (text: PgColumn) =>
  trimmed(
    sql`(case when jsonb_typeof(${text}) = 'object' then ${text} ->> 'en' else ${text} #>> '{}' end)`,
  );

/** Counts as JavaScript does: a character beyond the basic plane is two. */
const shorter = (text: SQL, least: number) => {
  const min = sql.raw(String(least));
  const start = sql`left(${text}, ${min}::int)`;
  return sql`char_length(${start})
    + char_length(regexp_replace(${start}, '[^\\U00010000-\\U0010FFFF]', '', 'g')) < ${min}::int`;
};

/**
 * {@link missingFields} in SQL; a test holds them equal. Has no parameters, so that Postgres can
 * use the index `products_incomplete_idx` (db/migrations); another test checks this.
 */
function lacksSomething(): SQL {
  const { products: p } = schema;
  return sql`(${sql.join(
    [
      shorter(english(p.name), 3),
      shorter(english(p.description), 10),
      sql`jsonb_array_length(${p.images}) = 0`,
      sql`coalesce(${p.price}, 0) < 100`,
      sql`${p.durationSeconds} is null`,
      sql`${p.category} is null`,
      sql`${trimmed(p.sellerName)} = ''`,
      sql`coalesce(${p.sellerWhatsapp}, '') = ''`,
      sql`(${trimmed(p.sellerLocation)} = '' and ${trimmed(p.city)} = '')`,
      sql`${p.paymentMethod} is null`,
    ],
    sql` or `,
  )})`;
}

export function incomplete(): SQL | undefined {
  const { products: p } = schema;
  return and(
    isNull(p.removedAt),
    isNull(p.withdrawnAt),
    isNull(p.imagesDeletedAt),
    lacksSomething(),
    or(sql`${p.status} in ('pending', 'rejected')`, isOpen),
  );
}

/** Names of product §3. */
export type IncompleteProduct = {
  id: string;
  product_name: string;
  status: 'pending' | 'approved' | 'rejected';
  seller_name: string | null;
  seller_suspended: boolean;
  missing_fields: MissingField[];
  created_at: string;
  can: ReturnType<typeof adminCan>;
};

/**
 * get_incomplete_products (product §2 Data Integrity, product R12), newest first. Leaves out
 * removed, withdrawn and ended products, and those whose photos the cleanup deleted.
 */
export async function incompleteProducts(
  ctx: Ctx,
  { page = 1, pageSize = 50 } = {},
): Promise<{ total: number; page: number; pageSize: number; products: IncompleteProduct[] }> {
  requireAdmin(ctx);
  const { products: p, sellers } = schema;
  const wanted = incomplete();
  const rows = await ctx.db
    .select({ product: p, sellerName: sellers.name, suspended: sellers.suspended })
    .from(p)
    .leftJoin(sellers, eq(sellers.id, p.sellerId))
    .where(wanted)
    .orderBy(desc(p.createdAt), asc(p.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  return {
    total: await totalOf(ctx, { table: p, where: wanted }, { shown: rows.length, page, pageSize }),
    page,
    pageSize,
    products: rows.map(({ product, sellerName, suspended }) => {
      const missing = missingFields(product);
      return {
        id: product.id,
        product_name: nameIn(product.name, ctx.language),
        status: product.status === 'active' ? 'approved' : product.status,
        seller_name: product.sellerName?.trim() || sellerName,
        seller_suspended: suspended ?? false,
        missing_fields: missing,
        created_at: product.createdAt.toISOString(),
        can: adminCan({ ...product, suspended: suspended ?? false, missing }),
      };
    }),
  };
}
