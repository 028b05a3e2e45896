import { and, asc, eq, inArray, lte, ne, or, sql } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { anotherAdminStays, lockAccount, lockAdmins } from '../../auth/locks.ts';
import { requireAdmin } from '../../core/access.ts';
import { audit } from '../../core/audit.ts';
import type { Ctx, Tx } from '../../core/context.ts';
import { inTransaction } from '../../core/transaction.ts';
import { unlinked } from '../../people/chats.ts';
import { mailboxOf } from '../../people/mailbox.ts';
import { notify } from '../../people/notify.ts';
import { barSeller } from '../../sellers/bar.ts';
import { type Dropped, deleteDropped, dropProducts } from '../../sellers/drop.ts';
import { normalEmail } from '../../shared/email.ts';
import { deletesUntil } from '../../shared/retention/deletesUntil.ts';
import { releaseDrafts } from '../../uploads/release.ts';
import { limits } from '../rules.ts';
import { forgetInAudit } from './forget.ts';

const {
  user,
  sellers,
  chats,
  chatUpdates,
  outbox,
  verification,
  pendingSignUps,
  signUpLinks,
  idempotencyKeys,
  contactRequests,
  reports,
} = schema;
const { connectPosts, connectReports, connectViews } = schema;

/**
 * Deletes accounts whose seven days are over, each in its own transaction, and last mails already
 * sent. Safe to repeat or kill; files follow their rows or go with the next cleaning.
 */
export async function deleteLeavers(ctx: Ctx): Promise<{ deleted: number }> {
  requireAdmin(ctx);
  await forgetLastMails(ctx);
  const until = deletesUntil(ctx, 'delete-accounts', 'user');
  if (!until) return { deleted: 0 };
  const due = await ctx.db
    .select({ id: user.id })
    .from(user)
    .where(lte(user.leavingAt, until))
    .orderBy(asc(user.leavingAt));
  let deleted = 0;
  const failed: unknown[] = [];
  for (const { id } of due) {
    if (ctx.signal?.aborted) break;
    try {
      if (await deleteAccount(ctx, id)) deleted++;
    } catch (error) {
      // One failing account must not keep the others.
      ctx.services.log.error('An account could not be deleted: the next run tries again', {
        userId: id,
        error,
      });
      failed.push(error);
    }
  }
  if (failed.length > 0)
    throw new AggregateError(failed, `${failed.length} accounts could not be deleted`);
  return { deleted };
}

/** False if the person stayed, another run was faster, or it is the last admin's. */
async function deleteAccount(ctx: Ctx, userId: string): Promise<boolean> {
  const dropped = await inTransaction(ctx, async (tx): Promise<Dropped | undefined> => {
    await lockAdmins(tx);
    const account = await lockAccount(tx, userId);
    if (!account?.leavingAt || goneLater(tx, account.leavingAt)) return undefined;
    if (account.role === 'admin' && !(await anotherAdminStays(tx, userId))) {
      tx.services.log.warn('The last admin is not deleted: make somebody else an admin', {
        userId,
      });
      return undefined;
    }
    const [profile] = await tx.db
      .select({ id: sellers.id })
      .from(sellers)
      .where(eq(sellers.userId, userId));
    const gone = profile && (await dropProducts(tx, profile.id));
    const photos = gone?.photos ?? (await releaseDrafts(tx, userId));
    const emails = [
      ...new Set([account.email, gone?.seller.email ?? account.email].map(normalEmail)),
    ];
    // Deleting the account must not lift a suspension.
    const barred = gone?.seller.suspended ? await barSeller(tx, gone.seller) : [];
    await forgetMails(tx, userId, emails);
    const email = mailboxOf(account);
    if (email !== null)
      await notify(tx, { email, language: account.language }, 'accountDeleted', {});
    await forgetTraces(tx, userId, emails);
    const posts = await tx.db
      .select({ id: connectPosts.id })
      .from(connectPosts)
      .where(eq(connectPosts.userId, userId));
    await forgetInAudit(tx, {
      userId,
      sellerId: profile?.id ?? null,
      productIds: gone?.productIds ?? [],
      postIds: posts.map(({ id }) => id),
      emails,
      numbers: [gone?.seller.whatsapp, gone?.seller.verifiedWhatsapp].filter(
        (number) => typeof number === 'string',
      ),
      names: [account.name, ...(gone ? [gone.seller.name, gone.seller.businessName ?? ''] : [])],
    });
    if (profile) await tx.db.delete(sellers).where(eq(sellers.id, profile.id));
    // Cascades to sessions, sign-ins, links, second factor, switches and posts. The ledger keeps
    // its number.
    await tx.db.delete(user).where(eq(user.id, userId));
    const productIds = gone?.productIds ?? [];
    await audit(tx, {
      action: 'account.delete',
      subjectKind: 'user',
      subjectId: userId,
      after: { products: productIds.length, barred: barred.length > 0 },
    });
    return { productIds, photos };
  });
  if (!dropped) return false;
  await deleteDropped(ctx, dropped);
  return true;
}

const goneLater = (ctx: Ctx, leavingAt: Date): boolean =>
  leavingAt.getTime() + limits.graceMs > ctx.now().getTime();

/** Deletes messages to the person, sent or not. */
async function forgetMails(tx: Tx, userId: string, emails: string[]): Promise<void> {
  const own = await tx.db
    .select({ keyHash: chats.keyHash })
    .from(chats)
    .where(eq(chats.userId, userId));
  const addresses = [...emails, ...own.map(({ keyHash }) => keyHash)];
  await tx.db
    .delete(outbox)
    .where(or(eq(outbox.userId, userId), inArray(sql`lower(${outbox.recipient})`, addresses)));
  // Also their messages to the bot; the chat becomes a stranger's.
  await tx.db.delete(chatUpdates).where(
    inArray(
      chatUpdates.keyHash,
      own.map(({ keyHash }) => keyHash),
    ),
  );
  await tx.db
    .update(chats)
    .set({ ...unlinked, language: null, notices: true })
    .where(eq(chats.userId, userId));
}

/** Clears rows with the person's address or number that no foreign key deletes. */
async function forgetTraces(tx: Tx, userId: string, emails: string[]): Promise<void> {
  await tx.db.delete(verification).where(eq(verification.value, userId));
  await tx.db.delete(signUpLinks).where(inArray(signUpLinks.email, emails));
  await tx.db.delete(pendingSignUps).where(inArray(pendingSignUps.email, emails));
  await tx.db.delete(idempotencyKeys).where(eq(idempotencyKeys.owner, userId));
  const visitor = `account:${userId}`;
  await tx.db.delete(contactRequests).where(eq(contactRequests.visitor, visitor));
  // A report about another's listing stays, but its note may name its author.
  await tx.db.update(reports).set({ note: null }).where(eq(reports.visitor, visitor));
  await tx.db.update(connectReports).set({ note: null }).where(eq(connectReports.visitor, visitor));
  await tx.db.delete(connectViews).where(eq(connectViews.visitor, visitor));
}

/**
 * Deletes the final mail to a deleted account, the last row with its address, once sent or given
 * up.
 */
async function forgetLastMails(ctx: Ctx): Promise<void> {
  await ctx.db
    .delete(outbox)
    .where(and(eq(outbox.kind, 'accountDeleted'), ne(outbox.state, 'waiting')));
}
