import { and, eq } from 'drizzle-orm';
import { schema, violatedConstraint } from '../../db/client.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { append, lockAccount, lockNumber } from './ledger.ts';
import { neededFor, prices, type ReferenceType } from './rules.ts';

/**
 * spend_credits (product §7, R34): whoever acts pays for a post, a response or an update, in the very transaction that writes it, so that neither is
 * there without the other. A thing is paid for once. Refuses `credits.neededFor…` where the credits do not suffice, and
 * `credits.transactionFailed` where the ledger refuses.
 * @returns what is left
 */
export async function spend(
  tx: Ctx,
  referenceType: ReferenceType,
  referenceId: string,
): Promise<number> {
  requireTransaction(tx);
  const userId = userIdOf(tx.actor);
  if (userId === null) throw new Refusal('signInRequired');
  const price = prices[referenceType];
  const account = await lockAccount(tx, userId);
  if (account.balance < price)
    throw new Refusal(neededFor[referenceType], {}, [], {
      details: { needed: price, balance: account.balance },
    });
  return (
    await refusable(
      append(tx, account, { kind: 'spend', amount: -price, referenceType, referenceId }),
    )
  ).account.balance;
}

/**
 * Gives back what was spent on something, whole and once, to whoever paid, in the transaction that undoes it. Answers whether anything was given
 * back: not where nobody paid, or it was given back before. Who may undo is for the room to decide that does it.
 */
export async function refundSpend(
  tx: Ctx,
  referenceType: ReferenceType,
  referenceId: string,
): Promise<boolean> {
  requireTransaction(tx);
  const { creditEntries: e } = schema;
  const [spent] = await tx.db
    .select()
    .from(e)
    .where(
      and(eq(e.kind, 'spend'), eq(e.referenceType, referenceType), eq(e.referenceId, referenceId)),
    );
  if (!spent) return false;
  const account = await lockNumber(tx, spent.member);
  // Whoever gave it back at this very moment held the lock until now.
  const [undone] = await tx.db.select({ id: e.id }).from(e).where(eq(e.undoes, spent.id));
  if (undone) return false;
  await refusable(append(tx, account, { kind: 'refund', amount: -spent.amount, undoes: spent.id }));
  return true;
}

function requireTransaction({ db }: Ctx): void {
  if (!('rollback' in db))
    throw new Error('Credits are spent in the transaction of what they pay for');
}

async function refusable<T>(appending: Promise<T>): Promise<T> {
  return appending.catch((error) => {
    if (violatedConstraint(error) === undefined) throw error;
    throw new Refusal('credits.transactionFailed', {}, [], { cause: error });
  });
}
