import { and, eq } from 'drizzle-orm';
import { schema, violatedConstraint } from '../../db/client.ts';
import { type Ctx, type Tx, userIdOf } from '../core/context.ts';
import { Refusal } from '../shared/errors.ts';
import { append, lockAccount, lockNumber } from './ledger.ts';
import { neededFor, prices, type ReferenceType } from './rules.ts';

/**
 * spend_credits (product §7, R34): pays, once per thing, in the transaction that writes the post,
 * response or update. Returns the balance. Refuses `credits.neededFor…` on too few credits and
 * `credits.transactionFailed` if the ledger refuses.
 */
export async function spend(
  tx: Tx,
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
 * Refunds a spend in full, once, to the member who paid. Returns false if there was no spend or it
 * was refunded before. The caller checks access.
 */
export async function refundSpend(
  tx: Tx,
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
  // Read after the lock, so a concurrent refund is seen.
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
