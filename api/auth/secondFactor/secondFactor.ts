import { and, count, eq, isNotNull, isNull, ne } from 'drizzle-orm';
import { encode } from 'uqr';
import { schema } from '../../../db/client.ts';
import { audit } from '../../core/audit.ts';
import type { Ctx } from '../../core/context.ts';
import { inTransaction } from '../../core/transaction.ts';
import { notify } from '../../people/notify.ts';
import { Refusal } from '../../shared/errors.ts';
import type { WithAuth } from '../context.ts';
import { askPassword } from '../proof.ts';
import { countCode, newSecret, spendCode, stepOf, writeBackupCodes } from './codes.ts';

const { secondFactors, backupCodes, session, user } = schema;

/** Narrows the type; the route admits admins only. */
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
  const { userId } = adminOf(ctx);
  const factor = await confirmedFactor(ctx, userId);
  const [left] = await ctx.db
    .select({ codes: count() })
    .from(backupCodes)
    .where(eq(backupCodes.userId, userId));
  return { since: factor?.confirmedAt?.toISOString() ?? null, codesLeft: left?.codes ?? 0 };
}

/** QR code as an SVG path of its dark squares; `size` includes the quiet border. */
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
 * Begins turning the factor on; a new secret replaces an unconfirmed one. Refuses
 * `auth.passwordWrong`, `auth.factorOn`, `auth.tooManyAttempts`.
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
 * Turns the factor on with a first code, ends other sessions, opened without it, and returns the
 * backup codes once. Refuses `auth.codeWrong`, `auth.factorOff`, `auth.factorOn`,
 * `auth.tooManyAttempts`.
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

/**
 * Turns the factor off. Refuses `auth.passwordWrong`, `auth.codeWrong`, `auth.codeUsed`,
 * `auth.factorOff`, `auth.tooManyAttempts`.
 */
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

/**
 * Removes a lost factor; false if there was none. Never called by a request, only by
 * `bun run admin:create --reset-second-factor`.
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
