import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { postStatuses } from '../../db/vocabularies.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { requireAgreement } from '../legal/agreement.ts';
import { requireStaying } from '../people/staying.ts';
import { lockOwnPost } from './post.ts';

/**
 * Closes or reopens one's own post. Leaves `updated_at` alone, or reopening would be a free way to
 * the top of the feed. Refuses `signInRequired`, `account.leaving`, `connect.notFound`,
 * `connect.notOwner`, `connect.hidden`.
 */
export async function setPostStatus(
  ctx: Ctx,
  reference: string,
  status: (typeof postStatuses)[number],
): Promise<{ status: (typeof postStatuses)[number] }> {
  const { userId } = requireAccount(ctx);
  if (status === 'active') await requireAgreement(ctx);
  return inTransaction(ctx, async (tx) => {
    await requireStaying(tx, userId);
    const { id } = await lockOwnPost(tx, reference);
    await tx.db.update(schema.connectPosts).set({ status }).where(eq(schema.connectPosts.id, id));
    return { status };
  });
}
