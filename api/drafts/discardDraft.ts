import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireSeller } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';

const { productDrafts: d } = schema;

/** Deletes one's draft if it still has this key; the cleanup of uploads removes its photos. */
export async function discardDraft(ctx: Ctx, key: string): Promise<{ discarded: true }> {
  const { userId } = requireSeller(ctx);
  await ctx.db.delete(d).where(and(eq(d.userId, userId), eq(d.key, key)));
  return { discarded: true };
}
