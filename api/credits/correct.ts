import { eq } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { once } from '../core/idempotency.ts';
import { tooLate } from '../core/meanwhile.ts';
import { inTransaction } from '../core/transaction.ts';
import { notify } from '../people/notify.ts';
import { Refusal } from '../shared/errors.ts';
import { append, lockAccount } from './ledger.ts';
import type { correction } from './schema.ts';

/**
 * Corrects a balance by a new entry and notifies the member of the reason; the wrong entry stays
 * (product R36). Refuses `notFound`, `credits.belowZero`, `conflict` if the ledger has grown since
 * `seen`.
 */
export async function correctCredits(
  ctx: Ctx,
  { userId, amount, reason, seen }: z.output<typeof correction>,
  idempotencyKey: string,
): Promise<{ number: number; balance: number }> {
  requireAdmin(ctx);
  const actorId = userIdOf(ctx.actor);
  return inTransaction(ctx, (tx) =>
    once(tx, actorId ?? 'job', idempotencyKey, { correct: userId, amount, reason }, async () => {
      const { user, creditAccounts: a } = schema;
      // Makes two admins who correct the same member wait for each other.
      const [person] = await tx.db
        .select({ id: user.id })
        .from(user)
        .where(eq(user.id, userId))
        .for('no key update');
      if (!person) throw new Refusal('notFound');
      const [known] = await tx.db.select({ number: a.number }).from(a).where(eq(a.userId, userId));
      const account = await lockAccount(tx, userId);
      if (seen !== undefined && seen !== (known ? account.entries : 0))
        throw tooLate(tx, 'balanceChanged');
      const { number, balance } = account;
      if (balance + amount < 0) throw new Refusal('credits.belowZero', { balance });
      const { account: after } = await append(tx, account, {
        kind: 'correction',
        amount,
        reason,
        actorId,
      });
      await audit(tx, {
        action: 'credits.correct',
        subjectKind: 'user',
        subjectId: userId,
        before: { balance },
        after: { balance: after.balance, reason },
      });
      await notify(tx, { userId }, 'creditsCorrected', {
        amount: `${amount > 0 ? '+' : '−'}${Math.abs(amount)}`,
        reason,
        balance: after.balance,
      });
      return { number, balance: after.balance };
    }),
  );
}
