import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireModerator } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { onceInTransaction } from '../core/idempotency.ts';
import { tooLate } from '../core/meanwhile.ts';
import { notify } from '../people/notify.ts';
import { lockPost, refuseOwn } from './post.ts';

const { connectPosts: p } = schema;

/**
 * Shows a hidden post again; refunded credits stay refunded. Refuses `connect.notFound`, `conflict`
 * if it is not hidden.
 */
export async function unhidePost(
  ctx: Ctx,
  reference: string,
  key?: string,
): Promise<{ reference: string }> {
  requireModerator(ctx);
  return onceInTransaction(ctx, key, { unhide: reference }, async (tx) => {
    const post = await lockPost(tx, reference);
    refuseOwn(tx, post);
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
