import { and, eq, like } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import type { WithAuth } from '../../auth/context.ts';
import { verifiedUser } from '../../auth/create.ts';
import { inEqualTime, mayMail } from '../../auth/guards.ts';
import { newToken } from '../../auth/tokens.ts';
import { requireAccount } from '../../core/access.ts';
import { countAttempt } from '../../core/limits.ts';
import { inTransaction } from '../../core/transaction.ts';
import { heldUntil, mailHeld } from '../../people/leftEmails.ts';
import { notify } from '../../people/notify.ts';
import { refuseBarred } from '../../sellers/profile.ts';
import { Refusal } from '../../shared/errors.ts';
import { requireProof } from '../proof.ts';
import { limits } from '../rules.ts';
import { linkName } from './firstEmailLink.ts';

const { verification } = schema;

/**
 * Mails the link that gives a chat's account its first address (decision 049). A taken address gets
 * the same answer; its owner is mailed. Refuses `account.emailThere`, `sellers.barred`,
 * `auth.tooManyAttempts`, and as {@link requireProof}.
 */
export async function askEmail(ctx: WithAuth, email: string): Promise<{ sent: true }> {
  const { userId, email: had, ...actor } = requireAccount(ctx);
  if (had !== null) throw new Refusal('account.emailThere');
  await requireProof(ctx, {});
  await countAttempt(ctx, `add-email:${userId}`, limits.emailsAnHour, 3600);
  return inEqualTime(ctx, async () => {
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
          identifier: `${linkName(token)}${email}`,
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
