import { and, eq, isNull } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { verifiedUser } from '../../auth/create.ts';
import { inEqualTime, mayMail } from '../../auth/guards.ts';
import { lockAccount } from '../../auth/locks.ts';
import { hashToken, newToken } from '../../auth/tokens.ts';
import { requireAccount } from '../../core/access.ts';
import type { Ctx, Tx } from '../../core/context.ts';
import { countAttempt } from '../../core/limits.ts';
import { inTransaction } from '../../core/transaction.ts';
import { heldUntil, mailHeld } from '../../people/leftEmails.ts';
import { notify } from '../../people/notify.ts';
import { refuseBarred } from '../../sellers/profile.ts';
import { maskedEmail } from '../../shared/email.ts';
import { Refusal } from '../../shared/errors.ts';
import { limits } from '../rules.ts';

const { emailChanges, user, sellers } = schema;

/** Session and account of the actor. Refuses `signInRequired`, `account.emailMissing`. */
export function requireMailbox(ctx: Pick<Ctx, 'actor'>) {
  const { userId, sessionId, email } = requireAccount(ctx);
  if (sessionId === null) throw new Refusal('signInRequired');
  if (email === null) throw new Refusal('account.emailMissing');
  return { userId, sessionId, email };
}

export const pendingOf = (userId: string) =>
  and(eq(emailChanges.userId, userId), isNull(emailChanges.confirmedAt));

export async function mailProof(ctx: Ctx, email: string): Promise<{ sent: true }> {
  const { userId, sessionId, email: oldEmail } = requireMailbox(ctx);
  await countAttempt(ctx, `change-email:${userId}`, limits.emailsAnHour, 3600);
  return inEqualTime(ctx, async () => {
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
export async function lockStaying(tx: Tx, userId: string) {
  const account = await lockAccount(tx, userId);
  if (!account) throw new Refusal('signInRequired');
  if (account.leavingAt) throw new Refusal('account.leaving');
  return account;
}

/** Refuses `sellers.barred` if the account's profile could not have this address. */
export async function refuseForProfile(ctx: Ctx, userId: string, email: string): Promise<void> {
  if ((await ctx.db.$count(sellers, eq(sellers.userId, userId))) > 0)
    await refuseBarred(ctx, email, userId);
}

/** Waiting change, or null; `here` if this session asked for it. */
export async function pendingEmailChange(
  ctx: Ctx,
): Promise<{ email: string; until: string; here: boolean } | null> {
  const { userId, sessionId } = requireAccount(ctx);
  const [row] = await ctx.db.select().from(emailChanges).where(pendingOf(userId));
  if (!row || row.linkExpiresAt <= ctx.now()) return null;
  return {
    email: row.newEmail,
    until: row.linkExpiresAt.toISOString(),
    here: row.sessionId === sessionId,
  };
}

export const masked = (from: string, to: string) => ({
  before: { email: maskedEmail(from) },
  after: { email: maskedEmail(to) },
});

export async function moveAccount(tx: Tx, userId: string, email: string): Promise<void> {
  await tx.db
    .update(user)
    .set({ email, emailVerified: true, updatedAt: tx.now() })
    .where(eq(user.id, userId));
  await tx.db.update(sellers).set({ email, updatedAt: tx.now() }).where(eq(sellers.userId, userId));
}
