import { and, eq, like, sql } from 'drizzle-orm';
import { schema, violatedConstraint } from '../../db/client.ts';
import type { WithAuth } from '../auth/context.ts';
import { dropPending, verifiedUser } from '../auth/create.ts';
import { inEqualTime, mayMail } from '../auth/guards.ts';
import { hashToken, newToken } from '../auth/tokens.ts';
import type { Ctx } from '../core/context.ts';
import { countAttempt } from '../core/limits.ts';
import { inTransaction } from '../core/transaction.ts';
import { heldUntil, mailHeld } from '../people/leftEmails.ts';
import { notify } from '../people/notify.ts';
import { refuseBarred } from '../sellers/profile.ts';
import { Refusal } from '../shared/errors.ts';
import { accountOf, requireProof } from './proof.ts';
import { limits } from './rules.ts';

const { verification, user, sellers } = schema;

/** Prefix of the row of an add-email link; the address follows. */
const named = (token: string) => `add-email:${hashToken(token)}:`;

/**
 * Mails the link that gives a chat's account its first address (decision 049). A taken address gets
 * the same answer; its owner is mailed. Refuses `account.emailThere`, `sellers.barred`,
 * `auth.tooManyAttempts`, and as {@link requireProof}.
 */
export async function askEmail(ctx: WithAuth, email: string): Promise<{ sent: true }> {
  const { userId, email: had, ...actor } = accountOf(ctx);
  if (had !== null) throw new Refusal('account.emailThere');
  await requireProof(ctx, {});
  await countAttempt(ctx, `add-email:${userId}`, limits.emailsAnHour, 3600);
  return inEqualTime(async () => {
    if (actor.kind === 'seller') await refuseBarred(ctx, email);
    const known = await verifiedUser(ctx, email);
    const held = await heldUntil(ctx, email);
    if (!(await mayMail(ctx, 'email-proof', email))) return { sent: true };
    return inTransaction(ctx, async (tx) => {
      if (known) await notify(tx, { userId: known.id }, 'accountExists', {}, 'sign-in');
      else if (held) await mailHeld(tx, email, held);
      else {
        const token = newToken();
        const expiresAt = new Date(tx.now().getTime() + limits.emailLinkMs);
        await tx.db
          .delete(verification)
          .where(and(eq(verification.value, userId), like(verification.identifier, 'add-email:%')));
        await tx.db.insert(verification).values({
          id: newToken(),
          identifier: `${named(token)}${email}`,
          value: userId,
          expiresAt,
        });
        await notify(
          tx,
          { email, language: tx.language },
          'confirmEmail',
          {},
          `account?confirm=${encodeURIComponent(token)}`,
        );
      }
      return { sent: true };
    });
  });
}

/**
 * Uses such a link, once, in a session of its account: the link proves the mailbox, not the right
 * to sign in. Refuses `auth.linkInvalid` (also to another account), `auth.linkExpired`,
 * `account.emailThere`, `auth.emailTaken`, `sellers.barred`.
 */
export async function confirmEmail(ctx: Ctx, token: string): Promise<{ email: string }> {
  const { userId } = accountOf(ctx);
  return inTransaction(ctx, async (tx) => {
    const [link] = await tx.db
      .delete(verification)
      .where(
        and(
          eq(verification.value, userId),
          sql`starts_with(${verification.identifier}, ${named(token)})`,
        ),
      )
      .returning();
    if (!link) throw new Refusal('auth.linkInvalid');
    if (link.expiresAt <= tx.now()) throw new Refusal('auth.linkExpired');
    const email = link.identifier.slice(named(token).length);
    const [owner] = await tx.db.select().from(user).where(eq(user.id, userId)).for('update');
    if (owner?.emailVerified) throw new Refusal('account.emailThere');
    if ((await verifiedUser(tx, email)) || (await heldUntil(tx, email)))
      throw new Refusal('auth.emailTaken');
    const [profile] = await tx.db
      .select({ id: sellers.id })
      .from(sellers)
      .where(eq(sellers.userId, userId));
    if (profile) await refuseBarred(tx, email);
    await tx.db
      .update(user)
      .set({ email, emailVerified: true, updatedAt: tx.now() })
      .where(eq(user.id, userId));
    await tx.db
      .update(sellers)
      .set({ email, updatedAt: tx.now() })
      .where(eq(sellers.userId, userId));
    await dropPending(tx, email);
    return { email };
  }).catch((error) => {
    // Another account has just proven it.
    throw violatedConstraint(error)?.startsWith('user_email')
      ? new Refusal('auth.emailTaken')
      : error;
  });
}
