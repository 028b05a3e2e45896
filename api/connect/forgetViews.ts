import { lt } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { deletesUntil } from '../shared/retention/deletesUntil.ts';

const { connectViews: v } = schema;

/** Deletes views that no longer keep a second one from counting. Returns how many. */
export async function forgetViews(ctx: Ctx): Promise<number> {
  requireAdmin(ctx);
  const until = deletesUntil(ctx, 'forget-views-of-posts', 'connect_views');
  return until ? (await ctx.db.delete(v).where(lt(v.viewedAt, until))).count : 0;
}
