import { createHash } from 'node:crypto';
import { and, eq, lt } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { Refusal } from '../shared/errors.ts';
import { deletesUntil } from '../shared/retention/deletesUntil.ts';
import { requireAdmin } from './access.ts';
import { type Ctx, type Tx, userIdOf } from './context.ts';
import { inTransaction } from './transaction.ts';

/**
 * Runs a verb once per key (product R34) in the open transaction `ctx.db`. The key is written
 * first, so a second request waits and gets the first answer. Refuses `idempotencyMismatch` for
 * another request with that key.
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

/** {@link once} for the actor, in a transaction; without a key it always runs. */
export const onceInTransaction = <T>(
  ctx: Ctx,
  key: string | undefined,
  request: object,
  verb: (tx: Tx) => Promise<T>,
): Promise<T> =>
  inTransaction(ctx, (tx) => once(tx, userIdOf(tx.actor) ?? 'job', key, request, () => verb(tx)));

/** Deletes keys after two days, when no client repeats a request; returns their number. */
export async function forgetIdempotencyKeys(ctx: Ctx): Promise<number> {
  requireAdmin(ctx);
  const { idempotencyKeys: k } = schema;
  const until = deletesUntil(ctx, 'forget-idempotency-keys', 'idempotency_keys');
  return until ? (await ctx.db.delete(k).where(lt(k.createdAt, until))).count : 0;
}
