import { lt } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { deletesUntil } from '../shared/retention/deletesUntil.ts';

const { productDrafts: d } = schema;

/** Deletes drafts untouched for thirty days. Returns how many. */
export async function forgetDrafts(ctx: Ctx): Promise<number> {
  requireAdmin(ctx);
  const until = deletesUntil(ctx, 'forget-drafts', 'product_drafts');
  return until ? (await ctx.db.delete(d).where(lt(d.updatedAt, until))).count : 0;
}
