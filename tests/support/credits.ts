import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Ctx } from '../../api/core/context.ts';
import { inTransaction } from '../../api/core/transaction.ts';
import { correctCredits } from '../../api/credits/correct.ts';
import type { ReferenceType } from '../../api/credits/rules.ts';
import { refundSpend, spend } from '../../api/credits/spend.ts';
import { verifyCredits } from '../../api/credits/verify.ts';
import type { TestApp } from './app.ts';

/** Gives a member credits, as an admin's correction does. */
export const grant = (market: TestApp, { userId }: { userId: string }, amount: number) =>
  correctCredits(market.job('test'), { userId, amount, reason: 'For the test' }, randomUUID());

/** What a room does that is paid with credits, without the room. */
export const pay = (ctx: Ctx, type: ReferenceType = 'post', id: string = randomUUID()) => inTransaction(ctx, (tx) => spend(tx, type, id));
export const giveBack = (ctx: Ctx, id: string, type: ReferenceType = 'post') => inTransaction(ctx, (tx) => refundSpend(tx, type, id));

export async function balanceOf({ sql }: Pick<TestApp, 'sql'>, { userId }: { userId: string }): Promise<number> {
  const [row] = await sql`select balance from credit_accounts where user_id = ${userId}`;
  return row?.balance ?? 0;
}

/** Replaces the guards of the database for a moment: what an owner of the server could do, or a broken restore. */
export const behindTheTriggers = (market: Pick<TestApp, 'sql'>, statement: string) =>
  market.sql.begin(async (tx) => {
    await tx.unsafe('set local session_replication_role = replica');
    await tx.unsafe(statement);
  });

/** What holds of all credits at any moment (decision 042), and that every chain is whole. */
export async function expectSoundCredits(market: Pick<TestApp, 'sql' | 'job'>): Promise<void> {
  const [state] = await market.sql`select
    (select count(*)::int from credit_accounts a where a.balance < 0 or a.balance <> (select coalesce(sum(amount), 0) from credit_entries where member = a.number)) as wrong_balances,
    (select count(*)::int from (select balance, sum(amount) over (partition by member order by serial) as sum from credit_entries) e where e.balance < 0 or e.balance <> e.sum) as wrong_running,
    (select count(*)::int from (select from credit_entries where kind = 'spend' group by reference_type, reference_id having count(*) > 1) t) as paid_twice,
    (select count(*)::int from (select from credit_entries where undoes is not null group by undoes having count(*) > 1) t) as refunded_twice,
    (select count(*)::int from credit_purchases p where (p.status = 'completed')::int <> (select count(*) from credit_entries where purchase_id = p.id)) as wrongly_credited`;
  expect(state).toEqual({ wrong_balances: 0, wrong_running: 0, paid_twice: 0, refunded_twice: 0, wrongly_credited: 0 });
  expect((await verifyCredits(market.job('verify'))).faults).toEqual([]);
}
