import { and, desc, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';

/** Refuses `signInRequired`. */
export async function latestResponses(
  ctx: Ctx,
  most = 10,
): Promise<{ name: string; title: string; reference: string; at: Date }[]> {
  const { userId } = requireAccount(ctx);
  const { connectPosts: p, connectResponses: r, user } = schema;
  const rows = await ctx.db
    .select({ name: user.name, title: p.title, reference: p.reference, at: r.createdAt })
    .from(r)
    .innerJoin(p, and(eq(p.id, r.postId), eq(p.userId, userId)))
    .innerJoin(user, eq(user.id, r.userId))
    .orderBy(desc(r.createdAt), desc(r.id))
    .limit(most);
  return rows;
}
