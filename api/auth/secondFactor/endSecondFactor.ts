import { requireTeamAccount } from '../../core/access.ts';
import { inTransaction } from '../../core/transaction.ts';
import { Refusal } from '../../shared/errors.ts';
import type { WithAuth } from '../context.ts';
import { askPassword } from '../passwords/proof.ts';
import { countCode, spendCode } from './codes.ts';
import { confirmedFactor, removeFactor } from './secondFactor.ts';

/**
 * Turns the factor off. Refuses `auth.passwordWrong`, `auth.codeWrong`, `auth.codeUsed`,
 * `auth.factorOff`, `auth.tooManyAttempts`.
 */
export async function endSecondFactor(
  ctx: WithAuth,
  { password, code }: { password: string; code: string },
): Promise<void> {
  const { userId } = requireTeamAccount(ctx);
  await askPassword(ctx, userId, password);
  await countCode(ctx, userId);
  await inTransaction(ctx, async (tx) => {
    const factor = await confirmedFactor(tx, userId);
    if (!factor) throw new Refusal('auth.factorOff');
    await spendCode(tx, factor, code);
    await removeFactor(tx, userId, 'admin.factor.off');
  });
}
