import { and, eq, isNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { Refusal } from '../shared/errors.ts';
import { removeFiles } from './files.ts';

/**
 * Deletes one's own unused photo. Refuses `uploads.notFound`, also for another's, and
 * `uploads.storageUnavailable`, after which the cleanup retries.
 */
export async function discardPhoto(ctx: Ctx, id: string): Promise<void> {
  const { userId } = requireAccount(ctx);
  const { uploads } = schema;
  await inTransaction(ctx, async (tx) => {
    const [row] = await tx.db
      .delete(uploads)
      .where(and(eq(uploads.id, id), eq(uploads.ownerId, userId), isNull(uploads.productId)))
      .returning();
    if (!row) throw new Refusal('uploads.notFound');
    await removeFiles(tx, row.image);
  });
}
