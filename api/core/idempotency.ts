import { createHash } from 'node:crypto';
import { and, eq, lt } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { type Ctx, userIdOf } from './context.ts';
import { Refusal } from './errors.ts';
import { inTransaction } from './transaction.ts';

/**
 * Runs a verb once for a client's key (product R34). The key's row is written first, in the verb's own transaction: a second
 * request with the same key waits on it, and then reads the first one's answer. `ctx.db` must be an open transaction.
 * Refuses `idempotencyMismatch` when the key comes with another request.
 */
export async function once<T>(
  ctx: Ctx,
  owner: string,
  key: string | undefined,
  request: unknown,
  verb: () => Promise<T>,
): Promise<T> {
  if (!key) return verb();
  const fingerprint = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  const { idempotencyKeys } = schema;
  const mine = and(eq(idempotencyKeys.owner, owner), eq(idempotencyKeys.key, key));
  const inserted = await ctx.db
    .insert(idempotencyKeys)
    .values({ owner, key, fingerprint, createdAt: ctx.now() })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key });
  if (inserted.length === 0) {
    const [first] = await ctx.db.select().from(idempotencyKeys).where(mine);
    if (!first || first.fingerprint !== fingerprint) throw new Refusal('idempotencyMismatch');
    return first.answer as T;
  }
  const answer = await verb();
  await ctx.db
    .update(idempotencyKeys)
    .set({ answer: answer ?? null })
    .where(mine);
  return answer;
}

/** A verb of whoever acts, in a transaction, once for the key of a request that may be sent again when no answer came; without a key as often as it is sent. */
export const onceInTransaction = <T>(
  ctx: Ctx,
  key: string | undefined,
  request: object,
  verb: (tx: Ctx) => Promise<T>,
): Promise<T> =>
  inTransaction(ctx, (tx) => once(tx, userIdOf(tx.actor) ?? 'job', key, request, () => verb(tx)));

/** Forgets keys older than two days: by then no client repeats a request. Returns how many went. */
export async function forgetIdempotencyKeys(ctx: Ctx): Promise<number> {
  const limit = new Date(ctx.now().getTime() - 2 * 86_400_000);
  const gone = await ctx.db
    .delete(schema.idempotencyKeys)
    .where(lt(schema.idempotencyKeys.createdAt, limit))
    .returning({ key: schema.idempotencyKeys.key });
  return gone.length;
}
