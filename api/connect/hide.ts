import { and, eq, isNull, lte } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { onceInTransaction } from '../core/idempotency.ts';
import { tooLate } from '../core/meanwhile.ts';
import { refundSpend } from '../credits/spend.ts';
import { notify } from '../people/notify.ts';
import { lockPost } from './post.ts';

const { connectPosts: p, connectReports: reports } = schema;

/**
 * Hides a post from everybody but its owner, closes its open reports and can refund its credits
 * once (product §11). Refuses `connect.notFound`, `conflict` if already hidden.
 */
export async function hidePost(
  ctx: Ctx,
  reference: string,
  { reason, refund }: { reason: string; refund: boolean },
  key?: string,
): Promise<{ refunded: boolean }> {
  requireAdmin(ctx);
  return onceInTransaction(ctx, key, { hide: reference, reason, refund }, async (tx) => {
    const post = await lockPost(tx, reference);
    if (post.hiddenAt) throw tooLate(tx, 'postHidden');
    const now = tx.now();
    const by = userIdOf(tx.actor);
    await tx.db
      .update(p)
      .set({ hiddenAt: now, hiddenReason: reason, hiddenBy: by })
      .where(eq(p.id, post.id));
    await tx.db
      .update(reports)
      .set({ resolvedAt: now, resolvedBy: by, resolution: reason })
      .where(and(eq(reports.postId, post.id), isNull(reports.resolvedAt)));
    const refunded = refund && (await refundSpend(tx, 'post', post.id));
    await audit(tx, {
      action: 'post.hide',
      subjectKind: 'post',
      subjectId: post.id,
      before: { hidden: false },
      after: { hidden: true, reason, refunded },
    });
    await notify(
      tx,
      { userId: post.userId },
      'postHidden',
      { title: post.title, reason },
      `connect/${reference}`,
    );
    return { refunded };
  });
}

/**
 * Shows a hidden post again; refunded credits stay refunded. Refuses `connect.notFound`, `conflict`
 * if it is not hidden.
 */
export async function unhidePost(
  ctx: Ctx,
  reference: string,
  key?: string,
): Promise<{ reference: string }> {
  requireAdmin(ctx);
  return onceInTransaction(ctx, key, { unhide: reference }, async (tx) => {
    const post = await lockPost(tx, reference);
    if (!post.hiddenAt) throw tooLate(tx, 'postShown');
    await tx.db
      .update(p)
      .set({ hiddenAt: null, hiddenReason: null, hiddenBy: null })
      .where(eq(p.id, post.id));
    await audit(tx, {
      action: 'post.unhide',
      subjectKind: 'post',
      subjectId: post.id,
      before: { hidden: true },
      after: { hidden: false },
    });
    await notify(
      tx,
      { userId: post.userId },
      'postShown',
      { title: post.title },
      `connect/${reference}`,
    );
    return { reference };
  });
}

/**
 * Closes the open reports of a post that stays. Refuses `connect.notFound`, `conflict` if none is
 * open.
 * @param seen newest report the admin was shown; later ones stay open
 */
export async function resolvePostReports(
  ctx: Ctx,
  reference: string,
  resolution: string,
  seen?: string,
  key?: string,
): Promise<{ resolved: number }> {
  requireAdmin(ctx);
  return onceInTransaction(ctx, key, { resolve: reference, resolution, seen }, async (tx) => {
    const post = await lockPost(tx, reference);
    const closed = await tx.db
      .update(reports)
      .set({ resolvedAt: tx.now(), resolvedBy: userIdOf(tx.actor), resolution })
      .where(
        and(
          eq(reports.postId, post.id),
          isNull(reports.resolvedAt),
          seen === undefined ? undefined : lte(reports.createdAt, new Date(seen)),
        ),
      )
      .returning({ id: reports.id });
    if (closed.length === 0) throw tooLate(tx, 'reportsClosed');
    await audit(tx, {
      action: 'post.reports.resolve',
      subjectKind: 'post',
      subjectId: post.id,
      before: { open: closed.length },
      after: { resolution },
    });
    return { resolved: closed.length };
  });
}
