import { and, count, eq, isNotNull, isNull, ne } from 'drizzle-orm';
import { encode } from 'uqr';
import { schema } from '../../db/client.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { inTransaction } from '../core/transaction.ts';
import { notify } from '../people/notify.ts';
import type { WithAuth } from './context.ts';
import { countCode, newSecret, spendCode, stepOf, writeBackupCodes } from './factorCodes.ts';
import { askPassword } from './proof.ts';

const { secondFactors, backupCodes, session, user } = schema;

/** The route lets admins in alone; this gives their account to the compiler. */
function adminOf({ actor }: Ctx) {
  if (actor.kind !== 'admin') throw new Refusal('forbidden');
  return actor;
}

async function confirmedFactor(ctx: Ctx, userId: string) {
  const [row] = await ctx.db
    .select()
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt)));
  return row;
}

/** Whether an account asks for a code. */
export const hasSecondFactor = async (ctx: Ctx, userId: string): Promise<boolean> =>
  (await confirmedFactor(ctx, userId)) !== undefined;

/**
 * Asks for the code after a right password or a mailed link, where a second factor is on. Before that nothing tells that there is one, and
 * no try of a code is counted. Refuses `auth.codeNeeded`, `auth.codeWrong`, `auth.codeUsed`, `auth.tooManyAttempts`.
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

/** Whether the admin's own second factor is on, since when, and how many backup codes are left. */
export async function readSecondFactor(
  ctx: Ctx,
): Promise<{ since: string | null; codesLeft: number }> {
  const { userId } = adminOf(ctx);
  const factor = await confirmedFactor(ctx, userId);
  const [left] = await ctx.db
    .select({ codes: count() })
    .from(backupCodes)
    .where(eq(backupCodes.userId, userId));
  return { since: factor?.confirmedAt?.toISOString() ?? null, codesLeft: left?.codes ?? 0 };
}

/** The dark squares of a QR code as one SVG path, in a square of `size` units that has its quiet border. */
function picture(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { border: 4 });
  return {
    size,
    path: data
      .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
      .join(''),
  };
}

/**
 * Begins turning the factor on: a new secret, which asks nobody for a code until {@link confirmSecondFactor}; begun again, the one before ends.
 * Refuses `auth.passwordWrong`, `auth.factorOn`, `auth.tooManyAttempts`.
 */
export async function beginSecondFactor(
  ctx: WithAuth,
  { password }: { password: string },
): Promise<{ secret: string; picture: { size: number; path: string } }> {
  const { userId, email } = adminOf(ctx);
  await askPassword(ctx, userId, password);
  const { secret, address, stored } = await newSecret(ctx, email ?? userId);
  const begun = { secret: stored, createdAt: ctx.now(), lastStep: 0 };
  const written = await ctx.db
    .insert(secondFactors)
    .values({ userId, ...begun })
    .onConflictDoUpdate({
      target: secondFactors.userId,
      set: begun,
      setWhere: isNull(secondFactors.confirmedAt),
    })
    .returning({ userId: secondFactors.userId });
  if (written.length === 0) throw new Refusal('auth.factorOn');
  return { secret, picture: picture(address) };
}

/**
 * Turns the factor on, once a code has shown that the phone knows the secret. Ends the account's other sessions, which were opened
 * without it, and answers the backup codes, this once. Refuses `auth.codeWrong`, `auth.factorOff`, `auth.factorOn`, `auth.tooManyAttempts`.
 */
export async function confirmSecondFactor(
  ctx: Ctx,
  { code }: { code: string },
): Promise<{ codes: string[] }> {
  const { userId, sessionId } = adminOf(ctx);
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

/** Turns the factor off, by password and code. Refuses `auth.passwordWrong`, `auth.codeWrong`, `auth.codeUsed`, `auth.factorOff`, `auth.tooManyAttempts`. */
export async function endSecondFactor(
  ctx: WithAuth,
  { password, code }: { password: string; code: string },
): Promise<void> {
  const { userId } = adminOf(ctx);
  await askPassword(ctx, userId, password);
  await countCode(ctx, userId);
  await inTransaction(ctx, async (tx) => {
    const factor = await confirmedFactor(tx, userId);
    if (!factor) throw new Refusal('auth.factorOff');
    await spendCode(tx, factor, code);
    await remove(tx, userId, 'admin.factor.off');
  });
}

async function remove(
  tx: Ctx,
  userId: string,
  action: 'admin.factor.off' | 'admin.factor.reset',
): Promise<void> {
  await tx.db.delete(secondFactors).where(eq(secondFactors.userId, userId));
  // Whoever owns the account reads of it, also where it was somebody else at an open session.
  await notify(tx, { userId }, 'factorOff', {});
  await audit(tx, {
    action,
    subjectKind: 'user',
    subjectId: userId,
    before: { secondFactor: true },
    after: { secondFactor: false },
  });
}

/**
 * Takes the factor from an account whose phone and backup codes are lost. Called by `bun run admin:create --reset-second-factor`, never
 * by a request: whoever runs it can read the database anyway. Answers whether there was one.
 */
export async function resetSecondFactor(ctx: Ctx, email: string): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const [row] = await tx.db.select({ id: user.id }).from(user).where(eq(user.email, email));
    if (!row) throw new Error(`Nobody has the address ${email}`);
    if (!(await confirmedFactor(tx, row.id))) return false;
    await remove(tx, row.id, 'admin.factor.reset');
    return true;
  });
}
