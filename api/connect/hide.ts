import { and, eq, isNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { inTransaction } from '../core/transaction.ts';
import { refundSpend } from '../credits/spend.ts';
import { notify } from '../people/notify.ts';
import { lockPost } from './post.ts';

const { connectPosts: p, connectReports: reports } = schema;

/**
 * Takes a post down (product §11): everybody but its owner loses it at once, its open reports are closed, its owner is told why. The two credits can
 * be given back, once. Refuses `connect.notFound`, `conflict` where it is down already.
 */
export async function hidePost(ctx: Ctx, reference: string, { reason, refund }: { reason: string; refund: boolean }): Promise<{ refunded: boolean }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const post = await lockPost(tx, reference);
    if (post.hiddenAt) throw new Refusal('conflict');
    const now = tx.now();
    const by = userIdOf(tx.actor);
    await tx.db.update(p).set({ hiddenAt: now, hiddenReason: reason, hiddenBy: by }).where(eq(p.id, post.id));
    await tx.db
      .update(reports)
      .set({ resolvedAt: now, resolvedBy: by, resolution: reason })
      .where(and(eq(reports.postId, post.id), isNull(reports.resolvedAt)));
    const refunded = refund && (await refundSpend(tx, 'post', post.id));
    await audit(tx, {
      action: 'post.hide',
      subjectKind: 'post',
      subjectId: post.id,
      before: { title: post.title, hidden: false },
      after: { hidden: true, reason, refunded },
    });
    await notify(tx, { userId: post.userId }, 'postHidden', { title: post.title, reason }, `connect/${reference}`);
    return { refunded };
  });
}

/** Puts a post back that was taken down. What was refunded stays refunded. Refuses `connect.notFound`, `conflict` where it is not down. */
export async function unhidePost(ctx: Ctx, reference: string): Promise<{ reference: string }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const post = await lockPost(tx, reference);
    if (!post.hiddenAt) throw new Refusal('conflict');
    await tx.db.update(p).set({ hiddenAt: null, hiddenReason: null, hiddenBy: null }).where(eq(p.id, post.id));
    await audit(tx, { action: 'post.unhide', subjectKind: 'post', subjectId: post.id, before: { title: post.title, hidden: true }, after: { hidden: false } });
    await notify(tx, { userId: post.userId }, 'postShown', { title: post.title }, `connect/${reference}`);
    return { reference };
  });
}

/** Closes the open reports of a post that stays. Refuses `connect.notFound`, `conflict` where there is none. */
export async function resolvePostReports(ctx: Ctx, reference: string, resolution: string): Promise<{ resolved: number }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const post = await lockPost(tx, reference);
    const closed = await tx.db
      .update(reports)
      .set({ resolvedAt: tx.now(), resolvedBy: userIdOf(tx.actor), resolution })
      .where(and(eq(reports.postId, post.id), isNull(reports.resolvedAt)))
      .returning({ id: reports.id });
    if (closed.length === 0) throw new Refusal('conflict');
    await audit(tx, { action: 'post.reports.resolve', subjectKind: 'post', subjectId: post.id, before: { open: closed.length }, after: { resolution } });
    return { resolved: closed.length };
  });
}
