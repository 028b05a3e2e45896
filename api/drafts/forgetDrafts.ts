import { lt } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { draftLifeMs } from './rules.ts';

const { productDrafts: d } = schema;

/** Deletes drafts untouched for thirty days. Returns how many. */
export async function forgetDrafts(ctx: Ctx): Promise<number> {
  requireAdmin(ctx);
  const gone = await ctx.db
    .delete(d)
    .where(lt(d.updatedAt, new Date(ctx.now().getTime() - draftLifeMs)))
    .returning({ key: d.key });
  return gone.length;
}
