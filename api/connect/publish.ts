import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { once } from '../core/idempotency.ts';
import { inTransaction } from '../core/transaction.ts';
import { spend } from '../credits/spend.ts';
import { requireAgreement } from '../legal/agreement.ts';
import { requireStaying } from '../people/staying.ts';
import { regionOf } from '../shared/places/regionOf.ts';
import { newReference, wordsOf } from './post.ts';
import type { NewPost } from './schema.ts';

/**
 * Publishes and pays in one transaction (product R34). Refuses `signInRequired`, `account.leaving`,
 * `credits.neededForPost`, `credits.transactionFailed`, `idempotencyMismatch`.
 */
export async function publishPost(
  ctx: Ctx,
  post: NewPost,
  idempotencyKey: string,
): Promise<{ reference: string; balance: number }> {
  const { userId } = requireAccount(ctx);
  await requireAgreement(ctx);
  return inTransaction(ctx, (tx) =>
    once(tx, userId, idempotencyKey, { publish: post }, async () => {
      await requireStaying(tx, userId);
      const {
        budgetMin,
        budgetMax,
        location = null,
        city = null,
        region = null,
        contactWhatsapp = null,
        ...rest
      } = post;
      const place = { location, city, region };
      const id = randomUUID();
      const reference = newReference();
      await tx.db.insert(schema.connectPosts).values({
        id,
        reference,
        userId,
        ...rest,
        ...place,
        regionCode: regionOf(location, city, region) ?? null,
        contactWhatsapp,
        budgetMin: budgetMin?.toFixed(2) ?? null,
        budgetMax: budgetMax?.toFixed(2) ?? null,
        createdAt: tx.now(),
        updatedAt: tx.now(),
        words: wordsOf({ ...rest, ...place }),
      });
      const balance = await spend(tx, 'post', id);
      // Postgres delivers this to open feeds only after the commit.
      await tx.db.execute(sql`select pg_notify('market', ${`post:${post.category}.${reference}`})`);
      return { reference, balance };
    }),
  );
}
