import { and, eq, ne } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { requireTeamAccount } from '../../core/access.ts';
import { audit } from '../../core/audit.ts';
import type { Ctx } from '../../core/context.ts';
import { inTransaction } from '../../core/transaction.ts';
import { notify } from '../../people/notify.ts';
import { Refusal } from '../../shared/errors.ts';
import { countCode, stepOf, writeBackupCodes } from './codes.ts';

const { secondFactors, session } = schema;

/**
 * Turns the factor on with a first code, ends other sessions, opened without it, and returns the
 * backup codes once. Refuses `auth.codeWrong`, `auth.factorOff`, `auth.factorOn`,
 * `auth.tooManyAttempts`.
 */
export async function confirmSecondFactor(
  ctx: Ctx,
  { code }: { code: string },
): Promise<{ codes: string[] }> {
  const { userId, sessionId } = requireTeamAccount(ctx);
  await countCode(ctx, userId);
  return inTransaction(ctx, async (tx) => {
    const [factor] = await tx.db
      .select()
      .from(secondFactors)
      .where(eq(secondFactors.userId, userId))
      .for('update');
    if (!factor) throw new Refusal('auth.factorOff');
    if (factor.confirmedAt) throw new Refusal('auth.factorOn');
    const step = await stepOf(tx, factor.secret, code);
    if (step === null) throw new Refusal('auth.codeWrong');
    await tx.db
      .update(secondFactors)
      .set({ confirmedAt: tx.now(), lastStep: step })
      .where(eq(secondFactors.userId, userId));
    const codes = await writeBackupCodes(tx, userId);
    await tx.db
      .delete(session)
      .where(
        and(eq(session.userId, userId), sessionId === null ? undefined : ne(session.id, sessionId)),
      );
    await notify(tx, { userId }, 'factorOn', {});
    await audit(tx, {
      action: 'admin.factor.on',
      subjectKind: 'user',
      subjectId: userId,
      before: { secondFactor: false },
      after: { secondFactor: true },
    });
    return { codes };
  });
}
