import { and, eq, gte, isNull } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { forgetAttempts } from '../../auth/guards.ts';
import { lockAccount } from '../../auth/locks.ts';
import { hashToken } from '../../auth/tokens.ts';
import { openToEveryone } from '../../core/access.ts';
import { audit } from '../../core/audit.ts';
import type { Ctx, Tx } from '../../core/context.ts';
import { inTransaction } from '../../core/transaction.ts';
import { unlinked } from '../../people/chats.ts';
import { notify } from '../../people/notify.ts';
import { Refusal } from '../../shared/errors.ts';
import { keepAccount } from '../leaving/keepAccount.ts';
import { endMailedLinks } from '../mailedLinks.ts';
import { masked, moveAccount } from './emailChange.ts';

const { account, chatLinkCodes, chats, emailChanges, session } = schema;

/**
 * Gives an account its former address back by the mailed link, once, without a session. Later
 * changes are undone and their links end; earlier ones keep theirs: the first owner has the last
 * word. Ends all sessions, the password, mailed links, and Google accounts and chats connected
 * since the change was asked for; cancels a deletion asked for since. The second factor stays: a
 * mailbox alone must not remove it. Refuses `auth.linkInvalid`, `auth.linkUsed`,
 * `auth.linkExpired`.
 */
export async function takeBackEmail(ctx: Ctx, token: string): Promise<{ email: string }> {
  openToEveryone(ctx);
  const mine = eq(emailChanges.takeBackHash, hashToken(token));
  return inTransaction(ctx, async (tx) => {
    const [found] = await tx.db
      .select({ userId: emailChanges.userId })
      .from(emailChanges)
      .where(mine);
    const owner = found && (await lockAccount(tx, found.userId));
    // Read under the lock: of two links at once, the later sees what the earlier undid.
    const [change] = owner ? await tx.db.select().from(emailChanges).where(mine) : [];
    if (!owner || !change) throw new Refusal('auth.linkInvalid');
    if (change.takenBackAt) throw new Refusal('auth.linkUsed');
    if (!change.heldUntil || change.heldUntil <= tx.now()) throw new Refusal('auth.linkExpired');
    const { id: userId, email: lost, language } = owner;
    const { oldEmail: email, askedAt } = change;
    const ofAccount = eq(emailChanges.userId, userId);
    await tx.db.delete(emailChanges).where(and(ofAccount, isNull(emailChanges.confirmedAt)));
    await tx.db
      .update(emailChanges)
      .set({ takenBackAt: tx.now() })
      .where(and(ofAccount, gte(emailChanges.id, change.id), isNull(emailChanges.takenBackAt)));
    await moveAccount(tx, userId, email);
    await endWaysIn(tx, userId, askedAt);
    if (owner.leavingAt && owner.leavingAt >= askedAt)
      await keepAccount(tx, userId, owner.leavingAt);
    await forgetAttempts(tx, email);
    await audit(tx, {
      action: 'account.email.takeBack',
      subjectKind: 'user',
      subjectId: userId,
      ...masked(lost, email),
    });
    await notify(tx, { email, language, userId }, 'emailTakenBack', {}, 'forgot-password');
    if (lost !== email) await notify(tx, { email: lost, language, userId }, 'emailTakenFrom', {});
    return { email };
  });
}

/** Ends sessions, the password and mailed links, and sign-ins and chats connected after `since`. */
async function endWaysIn(tx: Tx, userId: string, since: Date): Promise<void> {
  const { db } = tx;
  await db.delete(session).where(eq(session.userId, userId));
  await db
    .delete(account)
    .where(and(eq(account.userId, userId), eq(account.providerId, 'credential')));
  await db.delete(account).where(and(eq(account.userId, userId), gte(account.createdAt, since)));
  await db
    .update(chats)
    .set(unlinked)
    .where(and(eq(chats.userId, userId), gte(chats.linkedAt, since)));
  await db.delete(chatLinkCodes).where(eq(chatLinkCodes.userId, userId));
  await endMailedLinks(tx, userId);
}
