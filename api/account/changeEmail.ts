import { and, eq, isNull } from 'drizzle-orm';
import { schema, violatedConstraint } from '../../db/client.ts';
import { lockAccount } from '../auth/admins.ts';
import type { WithAuth } from '../auth/context.ts';
import { dropPending, dropUnproven, verifiedUser } from '../auth/create.ts';
import { inEqualTime, mayMail } from '../auth/guards.ts';
import { requireCode } from '../auth/secondFactor.ts';
import { hashToken, newToken } from '../auth/tokens.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { maskedEmail } from '../core/email.ts';
import { Refusal } from '../core/errors.ts';
import { dayAndTime } from '../core/format.ts';
import { countAttempt } from '../core/limits.ts';
import { inTransaction } from '../core/transaction.ts';
import { heldUntil, mailHeld } from '../people/leftEmails.ts';
import { notify } from '../people/notify.ts';
import { isBarred, refuseBarred } from '../sellers/profile.ts';
import { endMailedLinks } from './mailedLinks.ts';
import { accountOf, requireProof } from './proof.ts';
import { limits } from './rules.ts';
import type { ChangedEmail } from './schema.ts';

const { emailChanges, user, sellers, barredEmails } = schema;
const demoDomain = '@demo.marche54.example';

/** The session that acts and its account, which has a proven address already. Refuses `signInRequired`, `account.emailMissing`. */
function holderOf(ctx: Pick<Ctx, 'actor'>) {
  const { userId, sessionId, email } = accountOf(ctx);
  if (sessionId === null) throw new Refusal('signInRequired');
  if (email === null) throw new Refusal('account.emailMissing');
  return { userId, sessionId, email };
}

const pendingOf = (userId: string) =>
  and(eq(emailChanges.userId, userId), isNull(emailChanges.confirmedAt));

/**
 * Asks to change one's address and mails the link that proves the new one, in place of a change that waits. The answer is the same when
 * the address has an account, or had one until lately: its holder is told. Refuses `account.emailMissing`, `account.emailSame`,
 * `account.demoEmail`, `account.leaving`, `sellers.barred`, `auth.tooManyAttempts`, and what {@link requireProof} and
 * {@link requireCode} refuse.
 */
export async function askEmailChange(
  ctx: WithAuth,
  { email, password, code }: ChangedEmail,
): Promise<{ sent: true }> {
  const { userId, email: present } = holderOf(ctx);
  // The demo's sample people are found by their addresses at each start.
  if (ctx.services.env.demo && present.endsWith(demoDomain)) throw new Refusal('account.demoEmail');
  await requireProof(ctx, { password });
  await requireCode(ctx, userId, code);
  if (email === present) throw new Refusal('account.emailSame');
  return mailProof(ctx, email);
}

/**
 * Mails the link once more; the one before ends. Refuses `auth.linkExpired` when nothing waits, `account.otherSession` in another session
 * than the one that asked, and what {@link askEmailChange} refuses about the address.
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

/** Locks the account, so that two changes of it follow each other. Refuses `account.leaving`, `signInRequired`. */
async function lockStaying(tx: Ctx, userId: string) {
  const account = await lockAccount(tx, userId);
  if (!account) throw new Refusal('signInRequired');
  if (account.leavingAt) throw new Refusal('account.leaving');
  return account;
}

/** Refuses `sellers.barred` for an address under which the account's seller profile could not be made. */
async function refuseForProfile(ctx: Ctx, userId: string, email: string): Promise<void> {
  if ((await ctx.db.$count(sellers, eq(sellers.userId, userId))) > 0)
    await refuseBarred(ctx, email, userId);
}

/** The change that waits for its proof, and whether this session asked for it; null when there is none. */
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

/** Gives up a change that waits; its link ends. Any session of the account may. */
export async function cancelEmailChange(ctx: Ctx): Promise<{ cancelled: true }> {
  await ctx.db.delete(emailChanges).where(pendingOf(accountOf(ctx).userId));
  return { cancelled: true };
}

/**
 * Changes the address by the mailed link, once, in the session that asked for it. Links that were mailed to the old address end, and that
 * address is told and can take the account back for seven days. Refuses `signInRequired`, `auth.linkInvalid` (also to another account),
 * `auth.linkUsed`, `auth.linkExpired`, `account.otherSession`, `account.leaving`, `auth.emailTaken`, `sellers.barred`.
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
    // After the update: it waited for another account that gave this address up at the same moment.
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

/** Before and after of a change, for the audit log. */
export const masked = (from: string, to: string) => ({
  before: { email: maskedEmail(from) },
  after: { email: maskedEmail(to) },
});

/** Writes an account's address, and that of its seller profile. */
export async function moveAccount(tx: Ctx, userId: string, email: string): Promise<void> {
  await tx.db
    .update(user)
    .set({ email, emailVerified: true, updatedAt: tx.now() })
    .where(eq(user.id, userId));
  await tx.db.update(sellers).set({ email, updatedAt: tx.now() }).where(eq(sellers.userId, userId));
}
