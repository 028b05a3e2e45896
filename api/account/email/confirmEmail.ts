import { and, eq, sql } from 'drizzle-orm';
import { schema, violatedConstraint } from '../../../db/client.ts';
import { dropPending, verifiedUser } from '../../auth/create.ts';
import { requireAccount } from '../../core/access.ts';
import type { Ctx } from '../../core/context.ts';
import { inTransaction } from '../../core/transaction.ts';
import { heldUntil } from '../../people/leftEmails.ts';
import { refuseBarred } from '../../sellers/profile.ts';
import { Refusal } from '../../shared/errors.ts';
import { linkName } from './firstEmailLink.ts';

const { verification, user, sellers } = schema;

/**
 * Uses such a link, once, in a session of its account: the link proves the mailbox, not the right
 * to sign in. Refuses `auth.linkInvalid` (also to another account), `auth.linkExpired`,
 * `account.emailThere`, `auth.emailTaken`, `sellers.barred`.
 */
export async function confirmEmail(ctx: Ctx, token: string): Promise<{ email: string }> {
  const { userId } = requireAccount(ctx);
  return inTransaction(ctx, async (tx) => {
    const [link] = await tx.db
      .delete(verification)
      .where(
        and(
          eq(verification.value, userId),
          sql`starts_with(${verification.identifier}, ${linkName(token)})`,
        ),
      )
      .returning();
    if (!link) throw new Refusal('auth.linkInvalid');
    if (link.expiresAt <= tx.now()) throw new Refusal('auth.linkExpired');
    const email = link.identifier.slice(linkName(token).length);
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
