import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { once } from '../core/idempotency.ts';
import { inTransaction } from '../core/transaction.ts';
import { spend } from '../credits/spend.ts';
import { requireAgreement } from '../legal/agreement.ts';
import { requireStaying } from '../people/staying.ts';
import { Refusal } from '../shared/errors.ts';
import { lockOwnPost } from './post.ts';
import type { newUpdate } from './schema.ts';

/**
 * Adds a paid update to one's own post, which moves it to the top of the feed. Refuses
 * `signInRequired`, `account.leaving`, `connect.notFound`, `connect.notOwner`, `connect.hidden`,
 * `connect.updateClosed`, `credits.neededForUpdate`, `credits.transactionFailed`.
 */
export async function addUpdate(
  ctx: Ctx,
  reference: string,
  update: z.output<typeof newUpdate>,
  idempotencyKey: string,
): Promise<{ id: string; balance: number }> {
  const { userId } = requireAccount(ctx);
  await requireAgreement(ctx);
  return inTransaction(ctx, (tx) =>
    once(tx, userId, idempotencyKey, { update: reference, ...update }, async () => {
      await requireStaying(tx, userId);
      const post = await lockOwnPost(tx, reference);
      // A closed post is not in the feed, so the update would buy nothing.
      if (post.status !== 'active') throw new Refusal('connect.updateClosed');
      const id = randomUUID();
      await tx.db
        .insert(schema.connectUpdates)
        .values({ id, postId: post.id, ...update, timestamp: tx.now() });
      await tx.db
        .update(schema.connectPosts)
        .set({ updatedAt: tx.now() })
        .where(eq(schema.connectPosts.id, post.id));
      return { id, balance: await spend(tx, 'post_update', id) };
    }),
  );
}
