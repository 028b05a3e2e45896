import { eq, lte, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { openToEveryone } from '../core/access.ts';
import { type Ctx, userIdOf, visitorKey } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { isCrawler } from '../engagement/record.ts';
import { viewWindowMs } from './rules.ts';

const { connectPosts: p, connectViews: v, connectFigures: f } = schema;

/** Counts a view: once in 30 minutes per visitor, never for the owner or a crawler (product R9). */
export async function viewPost(ctx: Ctx, reference: string): Promise<{ counted: boolean }> {
  openToEveryone(ctx);
  if (isCrawler(ctx)) return { counted: false };
  const visitor = visitorKey(ctx);
  return inTransaction(ctx, async (tx) => {
    const [post] = await tx.db
      .select({ id: p.id, userId: p.userId, hiddenAt: p.hiddenAt })
      .from(p)
      .where(eq(p.reference, reference));
    if (!post || post.hiddenAt || post.userId === userIdOf(tx.actor)) return { counted: false };
    const viewedAt = tx.now();
    const fresh = await tx.db
      .insert(v)
      .values({ postId: post.id, visitor, viewedAt })
      .onConflictDoUpdate({
        target: [v.postId, v.visitor],
        set: { viewedAt },
        setWhere: lte(v.viewedAt, new Date(viewedAt.getTime() - viewWindowMs)),
      })
      .returning({ postId: v.postId });
    if (fresh.length === 0) return { counted: false };
    await tx.db
      .insert(f)
      .values({ postId: post.id, views: 1 })
      .onConflictDoUpdate({ target: f.postId, set: { views: sql`${f.views} + 1` } });
    return { counted: true };
  });
}
