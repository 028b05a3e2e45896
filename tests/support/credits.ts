import { randomUUID } from 'node:crypto';
import { creditRules } from '../../api/check/ledger.ts';
import type { Ctx } from '../../api/core/context.ts';
import { inTransaction } from '../../api/core/transaction.ts';
import { correctCredits } from '../../api/credits/correct.ts';
import type { ReferenceType } from '../../api/credits/rules.ts';
import { refundSpend, spend } from '../../api/credits/spend.ts';
import type { TestApp } from './app.ts';
import { expectSound } from './sound.ts';

/** Gives a member credits, as an admin's correction does. */
export const grant = (market: TestApp, { userId }: { userId: string }, amount: number) =>
  correctCredits(market.job('test'), { userId, amount, reason: 'For the test' }, randomUUID());

/** Spends credits without the act they pay for. */
export const pay = (ctx: Ctx, type: ReferenceType = 'post', id: string = randomUUID()) =>
  inTransaction(ctx, (tx) => spend(tx, type, id));
export const giveBack = (ctx: Ctx, id: string, type: ReferenceType = 'post') =>
  inTransaction(ctx, (tx) => refundSpend(tx, type, id));

export async function balanceOf(
  { sql }: Pick<TestApp, 'sql'>,
  { userId }: { userId: string },
): Promise<number> {
  const [row] = await sql`select balance from credit_accounts where user_id = ${userId}`;
  return row?.balance ?? 0;
}

/** Bypasses the database's triggers, as the server's owner or a broken restore could. */
export const behindTheTriggers = (market: Pick<TestApp, 'sql'>, statement: string) =>
  market.sql.begin(async (tx) => {
    await tx.unsafe('set local session_replication_role = replica');
    await tx.unsafe(statement);
  });

/** Expects the rules of all credits to hold (decision 042), and every chain to be intact. */
export const expectSoundCredits = (market: Pick<TestApp, 'sql' | 'job' | 'clock'>): Promise<void> =>
  expectSound(market, creditRules);
