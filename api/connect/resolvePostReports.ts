import { and, eq, isNull, lte } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireModerator } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { onceInTransaction } from '../core/idempotency.ts';
import { tooLate } from '../core/meanwhile.ts';
import { lockPost, refuseOwn } from './post.ts';

const { connectReports: reports } = schema;

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
  requireModerator(ctx);
  return onceInTransaction(ctx, key, { resolve: reference, resolution, seen }, async (tx) => {
    const post = await lockPost(tx, reference);
    refuseOwn(tx, post);
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
