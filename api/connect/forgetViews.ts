import { and, lt } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { viewWindowMs } from './rules.ts';

const { connectViews: v } = schema;

export async function forgetViews(ctx: Ctx): Promise<number> {
  requireAdmin(ctx);
  const limit = new Date(ctx.now().getTime() - viewWindowMs);
  return (
    await ctx.db
      .delete(v)
      .where(and(lt(v.viewedAt, limit)))
      .returning({ postId: v.postId })
  ).length;
}
