import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { once } from '../core/idempotency.ts';
import { inTransaction } from '../core/transaction.ts';
import { notify } from '../people/notify.ts';
import { append, lockAccount } from './ledger.ts';

/**
 * Puts a member's balance right by an entry of its own, with its reason, which the member is told (product R36). What was wrong stays in the
 * ledger. Refuses `notFound`, and `credits.belowZero` for more than the member has.
 */
export async function correctCredits(
  ctx: Ctx,
  { userId, amount, reason }: { userId: string; amount: number; reason: string },
  idempotencyKey: string,
): Promise<{ number: number; balance: number }> {
  requireAdmin(ctx);
  const actorId = userIdOf(ctx.actor);
  return inTransaction(ctx, (tx) =>
    once(tx, actorId ?? 'job', idempotencyKey, { correct: userId, amount, reason }, async () => {
      const [person] = await tx.db.select({ id: schema.user.id }).from(schema.user).where(eq(schema.user.id, userId));
      if (!person) throw new Refusal('notFound');
      const account = await lockAccount(tx, userId);
      const { number, balance } = account;
      if (balance + amount < 0) throw new Refusal('credits.belowZero', { balance });
      const { account: after } = await append(tx, account, { kind: 'correction', amount, reason, actorId });
      await audit(tx, {
        action: 'credits.correct',
        subjectKind: 'user',
        subjectId: userId,
        before: { balance },
        after: { balance: after.balance, reason },
      });
      await notify(tx, { userId }, 'creditsCorrected', { amount: `${amount > 0 ? '+' : '−'}${Math.abs(amount)}`, reason, balance: after.balance });
      return { number, balance: after.balance };
    }),
  );
}
