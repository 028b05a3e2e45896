import { and, eq, isNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin, requireModerator } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { onceInTransaction } from '../core/idempotency.ts';
import { tooLate } from '../core/meanwhile.ts';
import { refundSpend } from '../credits/spend.ts';
import { notify } from '../people/notify.ts';
import { lockPost, refuseOwn } from './post.ts';

const { connectPosts: p, connectReports: reports } = schema;

/**
 * Hides a post from everybody but its owner, closes its open reports and can refund its credits
 * once (product §11). Refuses `connect.notFound`, `conflict` if already hidden,
 * `forbidden` to a moderator who refunds.
 */
export async function hidePost(
  ctx: Ctx,
  reference: string,
  { reason, refund }: { reason: string; refund: boolean },
  key?: string,
): Promise<{ refunded: boolean }> {
  requireModerator(ctx);
  // Credits are an admin's.
  if (refund) requireAdmin(ctx);
  return onceInTransaction(ctx, key, { hide: reference, reason, refund }, async (tx) => {
    const post = await lockPost(tx, reference);
    refuseOwn(tx, post);
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
