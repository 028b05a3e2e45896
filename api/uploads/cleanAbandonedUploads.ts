import { and, eq, isNull, lt, not, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction, photosMayGo } from '../core/transaction.ts';
import { deletesUntil } from '../shared/retention/deletesUntil.ts';
import { removeFiles } from './files.ts';

/**
 * Removes photos unused for 24 hours: files first, so none is left without a row. Returns how many.
 */
export async function cleanAbandonedUploads(ctx: Ctx): Promise<number> {
  requireAdmin(ctx);
  const { uploads, productDrafts } = schema;
  const limit = deletesUntil(ctx, 'clean-abandoned-uploads', 'uploads');
  if (!limit) return 0;
  const inDraft = sql`exists (select from ${productDrafts}
    where ${productDrafts.userId} = ${uploads.ownerId} and ${productDrafts.photos} ? ${uploads.id}::text)`;
  const abandoned = and(isNull(uploads.productId), lt(uploads.createdAt, limit), not(inDraft));
  let gone = 0;
  for (const { id } of await ctx.db.select({ id: uploads.id }).from(uploads).where(abandoned)) {
    if (ctx.signal?.aborted) break;
    gone += await inTransaction(ctx, async (tx) => {
      if (!(await photosMayGo(tx))) return 0;
      // Checked again: a product may use it by now.
      const [row] = await tx.db
        .delete(uploads)
        .where(and(eq(uploads.id, id), abandoned))
        .returning();
      if (row) await removeFiles(tx, row.image);
      return row ? 1 : 0;
    });
  }
  return gone;
}
