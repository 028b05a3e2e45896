import { and, eq } from 'drizzle-orm';
import { schema, violatedConstraint } from '../../../db/client.ts';
import { dropPending, dropUnproven, verifiedUser } from '../../auth/create.ts';
import { hashToken, newToken } from '../../auth/tokens.ts';
import { audit } from '../../core/audit.ts';
import type { Ctx } from '../../core/context.ts';
import { inTransaction } from '../../core/transaction.ts';
import { heldUntil } from '../../people/leftEmails.ts';
import { notify } from '../../people/notify.ts';
import { isBarred } from '../../sellers/profile.ts';
import { maskedEmail } from '../../shared/email.ts';
import { Refusal } from '../../shared/errors.ts';
import { dayAndTime } from '../../shared/format.ts';
import { endMailedLinks } from '../mailedLinks.ts';
import { limits } from '../rules.ts';
import {
  lockStaying,
  masked,
  moveAccount,
  refuseForProfile,
  requireMailbox,
} from './emailChange.ts';

const { emailChanges, barredEmails } = schema;

/**
 * Changes the address by the mailed link, once, in the session that asked. Links mailed to the old
 * address end; it is notified and can take the account back for seven days. Refuses
 * `signInRequired`, `auth.linkInvalid` (also to another account), `auth.linkUsed`,
 * `auth.linkExpired`, `account.otherSession`, `account.leaving`, `auth.emailTaken`,
 * `sellers.barred`.
 */
export async function confirmEmailChange(ctx: Ctx, token: string): Promise<{ email: string }> {
  const { userId, sessionId } = requireMailbox(ctx);
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
