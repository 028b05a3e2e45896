import { and, count, eq, isNotNull } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { requireTeamAccount } from '../../core/access.ts';
import { audit } from '../../core/audit.ts';
import type { Ctx, Tx } from '../../core/context.ts';
import { notify } from '../../people/notify.ts';
import { Refusal } from '../../shared/errors.ts';
import { countCode, spendCode } from './codes.ts';

const { secondFactors, backupCodes } = schema;

export async function confirmedFactor(ctx: Ctx, userId: string) {
  const [row] = await ctx.db
    .select()
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt)));
  return row;
}

export const hasSecondFactor = async (ctx: Ctx, userId: string): Promise<boolean> =>
  (await confirmedFactor(ctx, userId)) !== undefined;

/**
 * Asks for the code after a right password or mailed link; before, it neither reveals the factor
 * nor counts a try. Refuses `auth.codeNeeded`, `auth.codeWrong`, `auth.codeUsed`,
 * `auth.tooManyAttempts`.
 */
export async function requireCode(
  ctx: Ctx,
  userId: string,
  code: string | undefined,
): Promise<void> {
  const factor = await confirmedFactor(ctx, userId);
  if (!factor) return;
  if (code === undefined) throw new Refusal('auth.codeNeeded');
  await countCode(ctx, userId);
  await spendCode(ctx, factor, code);
}

export async function readSecondFactor(
  ctx: Ctx,
): Promise<{ since: string | null; codesLeft: number }> {
  const { userId } = requireTeamAccount(ctx);
  const factor = await confirmedFactor(ctx, userId);
  const [left] = await ctx.db
    .select({ codes: count() })
    .from(backupCodes)
    .where(eq(backupCodes.userId, userId));
  return { since: factor?.confirmedAt?.toISOString() ?? null, codesLeft: left?.codes ?? 0 };
}

export async function removeFactor(
  tx: Tx,
  userId: string,
  action: 'admin.factor.off' | 'admin.factor.reset',
): Promise<void> {
  await tx.db.delete(secondFactors).where(eq(secondFactors.userId, userId));
  // Warns the owner if a stranger did it at an open session.
  await notify(tx, { userId }, 'factorOff', {});
  await audit(tx, {
    action,
    subjectKind: 'user',
    subjectId: userId,
    before: { secondFactor: true },
    after: { secondFactor: false },
  });
}
