import { and, eq, isNull } from 'drizzle-orm';
import { schema, violatedConstraint } from '../../db/client.ts';
import { lockAccount } from '../auth/admins.ts';
import type { WithAuth } from '../auth/context.ts';
import { dropPending, dropUnproven, verifiedUser } from '../auth/create.ts';
import { inEqualTime, mayMail } from '../auth/guards.ts';
import { requireCode } from '../auth/secondFactor/secondFactor.ts';
import { hashToken, newToken } from '../auth/tokens.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { countAttempt } from '../core/limits.ts';
import { inTransaction } from '../core/transaction.ts';
import { heldUntil, mailHeld } from '../people/leftEmails.ts';
import { notify } from '../people/notify.ts';
import { isBarred, refuseBarred } from '../sellers/profile.ts';
import { maskedEmail } from '../shared/email.ts';
import { Refusal } from '../shared/errors.ts';
import { dayAndTime } from '../shared/format.ts';
import { endMailedLinks } from './mailedLinks.ts';
import { accountOf, requireProof } from './proof.ts';
import { limits } from './rules.ts';
import type { ChangedEmail } from './schema.ts';

const { emailChanges, user, sellers, barredEmails } = schema;
const demoDomain = '@demo.marche54.example';

/** Session and account of the actor. Refuses `signInRequired`, `account.emailMissing`. */
function holderOf(ctx: Pick<Ctx, 'actor'>) {
  const { userId, sessionId, email } = accountOf(ctx);
  if (sessionId === null) throw new Refusal('signInRequired');
  if (email === null) throw new Refusal('account.emailMissing');
  return { userId, sessionId, email };
}

const pendingOf = (userId: string) =>
  and(eq(emailChanges.userId, userId), isNull(emailChanges.confirmedAt));

/**
 * Mails a link that proves a new address, replacing a waiting change. A taken or held address gets
 * the same answer; its holder is mailed. Refuses `account.emailMissing`, `account.emailSame`,
 * `account.demoEmail`, `account.leaving`, `sellers.barred`, `auth.tooManyAttempts`, and as
 * {@link requireProof} and {@link requireCode}.
 */
export async function askEmailChange(
  ctx: WithAuth,
  { email, password, code }: ChangedEmail,
): Promise<{ sent: true }> {
  const { userId, email: present } = holderOf(ctx);
  // Each start of the demo finds its sample people by their addresses.
  if (ctx.services.env.demo && present.endsWith(demoDomain)) throw new Refusal('account.demoEmail');
  await requireProof(ctx, { password });
  await requireCode(ctx, userId, code);
  if (email === present) throw new Refusal('account.emailSame');
  return mailProof(ctx, email);
}

/**
 * Mails a new link; the one before ends. Refuses `auth.linkExpired` if no change waits,
 * `account.otherSession` in another session than the change's, and as {@link askEmailChange} about
 * the address.
 */
export async function resendEmailChange(ctx: Ctx): Promise<{ sent: true }> {
  const { userId, sessionId } = accountOf(ctx);
  const [waiting] = await ctx.db.select().from(emailChanges).where(pendingOf(userId));
  if (!waiting || waiting.linkExpiresAt <= ctx.now()) throw new Refusal('auth.linkExpired');
  if (waiting.sessionId !== sessionId) throw new Refusal('account.otherSession');
  return mailProof(ctx, waiting.newEmail);
}

async function mailProof(ctx: Ctx, email: string): Promise<{ sent: true }> {
  const { userId, sessionId, email: oldEmail } = holderOf(ctx);
  await countAttempt(ctx, `change-email:${userId}`, limits.emailsAnHour, 3600);
  return inEqualTime(async () => {
    await refuseForProfile(ctx, userId, email);
    const maySend = await mayMail(ctx, 'email-proof', email);
    return inTransaction(ctx, async (tx) => {
      await lockStaying(tx, userId);
      const token = newToken();
      const askedAt = tx.now();
      const linkExpiresAt = new Date(askedAt.getTime() + limits.emailLinkMs);
      await tx.db.delete(emailChanges).where(pendingOf(userId));
      await tx.db.insert(emailChanges).values({
        userId,
        oldEmail,
        newEmail: email,
        sessionId,
        linkHash: hashToken(token),
        askedAt,
        linkExpiresAt,
      });
      const known = await verifiedUser(tx, email);
      const held = await heldUntil(tx, email, userId);
      if (!maySend) return { sent: true };
      if (known) await notify(tx, { userId: known.id }, 'addressTaken', {}, 'sign-in');
      else if (held) await mailHeld(tx, email, held);
      else
        await notify(
          tx,
          { email, language: tx.language, userId },
          'proveEmail',
          {},
          `email-change?token=${token}`,
        );
      return { sent: true };
    });
  });
}

/**
 * Locks the account, so that its changes follow each other. Refuses `account.leaving`,
 * `signInRequired`.
 */
async function lockStaying(tx: Ctx, userId: string) {
  const account = await lockAccount(tx, userId);
  if (!account) throw new Refusal('signInRequired');
  if (account.leavingAt) throw new Refusal('account.leaving');
  return account;
}

/** Refuses `sellers.barred` if the account's profile could not have this address. */
async function refuseForProfile(ctx: Ctx, userId: string, email: string): Promise<void> {
  if ((await ctx.db.$count(sellers, eq(sellers.userId, userId))) > 0)
    await refuseBarred(ctx, email, userId);
}

/** Waiting change, or null; `here` if this session asked for it. */
export async function pendingEmailChange(
  ctx: Ctx,
): Promise<{ email: string; until: string; here: boolean } | null> {
  const { userId, sessionId } = accountOf(ctx);
  const [row] = await ctx.db.select().from(emailChanges).where(pendingOf(userId));
  if (!row || row.linkExpiresAt <= ctx.now()) return null;
  return {
    email: row.newEmail,
    until: row.linkExpiresAt.toISOString(),
    here: row.sessionId === sessionId,
  };
}

/** Cancels a waiting change from any session of the account; its link ends. */
export async function cancelEmailChange(ctx: Ctx): Promise<{ cancelled: true }> {
  await ctx.db.delete(emailChanges).where(pendingOf(accountOf(ctx).userId));
  return { cancelled: true };
}

/**
 * Changes the address by the mailed link, once, in the session that asked. Links mailed to the old
 * address end; it is notified and can take the account back for seven days. Refuses
 * `signInRequired`, `auth.linkInvalid` (also to another account), `auth.linkUsed`,
 * `auth.linkExpired`, `account.otherSession`, `account.leaving`, `auth.emailTaken`,
 * `sellers.barred`.
 */
export async function confirmEmailChange(ctx: Ctx, token: string): Promise<{ email: string }> {
  const { userId, sessionId } = holderOf(ctx);
  return inTransaction(ctx, async (tx) => {
    const account = await lockStaying(tx, userId);
    const [change] = await tx.db
      .select()
      .from(emailChanges)
      .where(and(eq(emailChanges.userId, userId), eq(emailChanges.linkHash, hashToken(token))));
    if (!change || (!change.confirmedAt && change.oldEmail !== account.email))
      throw new Refusal('auth.linkInvalid');
    if (change.confirmedAt) throw new Refusal('auth.linkUsed');
    if (change.sessionId !== sessionId) throw new Refusal('account.otherSession');
    if (change.linkExpiresAt <= tx.now()) throw new Refusal('auth.linkExpired');
    const { oldEmail, newEmail } = change;
    if (await verifiedUser(tx, newEmail)) throw new Refusal('auth.emailTaken');
    await refuseForProfile(tx, userId, newEmail);
    await dropUnproven(tx, newEmail);
    await moveAccount(tx, userId, newEmail);
    // After the update, which waits for an account that gives this address up.
    if (await heldUntil(tx, newEmail, userId)) throw new Refusal('auth.emailTaken');
    await dropPending(tx, newEmail);
    if (await isBarred(tx, oldEmail, userId))
      await tx.db
        .insert(barredEmails)
        .values({ email: newEmail, barredAt: tx.now() })
        .onConflictDoNothing();
    await endMailedLinks(tx, userId);
    const takeBack = newToken();
    const until = new Date(tx.now().getTime() + limits.takeBackMs);
    await tx.db
      .update(emailChanges)
      .set({ confirmedAt: tx.now(), takeBackHash: hashToken(takeBack), heldUntil: until })
      .where(eq(emailChanges.id, change.id));
    await audit(tx, {
      action: 'account.email.change',
      subjectKind: 'user',
      subjectId: userId,
      ...masked(oldEmail, newEmail),
    });
    const { language } = account;
    const told = { address: maskedEmail(newEmail), date: dayAndTime(until, language) };
    await notify(
      tx,
      { email: oldEmail, language, userId },
      'emailChanged',
      told,
      `email-back?token=${takeBack}`,
    );
    await notify(tx, { userId }, 'emailMoved', { address: maskedEmail(oldEmail) }, 'account');
    return { email: newEmail };
  }).catch((error) => {
    throw violatedConstraint(error)?.startsWith('user_email')
      ? new Refusal('auth.emailTaken')
      : error;
  });
}

export const masked = (from: string, to: string) => ({
  before: { email: maskedEmail(from) },
  after: { email: maskedEmail(to) },
});

export async function moveAccount(tx: Ctx, userId: string, email: string): Promise<void> {
  await tx.db
    .update(user)
    .set({ email, emailVerified: true, updatedAt: tx.now() })
    .where(eq(user.id, userId));
  await tx.db.update(sellers).set({ email, updatedAt: tx.now() }).where(eq(sellers.userId, userId));
}
