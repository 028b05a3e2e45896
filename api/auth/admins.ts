import { and, eq, isNull, ne, or } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction, lockNamed } from '../core/transaction.ts';
import { unlinkChats } from '../people/chats.ts';
import { heldUntil } from '../people/leftEmails.ts';
import { isBarred } from '../sellers/profile.ts';
import { normalEmail } from '../shared/email.ts';
import type { WithAuth } from './context.ts';
import { createAccount, hashPassword, verifiedUser } from './create.ts';

const { account, session, verification, signInLinks, user, sellers } = schema;

/** Serializes changes of admins: of two who leave at once, one is refused as the last. */
export const lockAdmins = (tx: Ctx): Promise<void> => lockNamed(tx, 'admins');

/** Needs {@link lockAdmins}. */
export async function anotherAdminStays({ db }: Ctx, userId: string): Promise<boolean> {
  const others = and(eq(user.role, 'admin'), ne(user.id, userId), isNull(user.leavingAt));
  return (await db.select({ id: user.id }).from(user).where(others).limit(1)).length > 0;
}

/** Locks an account; inserts that only reference it do not wait. */
export async function lockAccount(tx: Ctx, userId: string) {
  const [account] = await tx.db.select().from(user).where(eq(user.id, userId)).for('no key update');
  return account;
}

type NewAdmin = { email: string; name: string; password: string };
type Made = { created: boolean; passwordSet: boolean };

/**
 * Runs {@link makeAdmin} for `bun run admin:create`. Throws for a leaving account, a suspended
 * seller's, or a barred or held address: the rights would end soon or undo an admin's decision.
 */
export async function createAdmin(ctx: WithAuth, given: NewAdmin): Promise<Made> {
  const email = normalEmail(given.email);
  return inTransaction(ctx, async (tx) => {
    const [row] = await tx.db.select({ id: user.id }).from(user).where(eq(user.email, email));
    const known = row && (await lockAccount(tx, row.id));
    if (known?.leavingAt)
      throw new Error(
        'This account is about to be deleted, as its owner asked. They can keep it under My Account; then try again, or take another address.',
      );
    const theirs = known
      ? or(eq(sellers.userId, known.id), eq(sellers.email, email))
      : eq(sellers.email, email);
    if ((await tx.db.$count(sellers, and(theirs, eq(sellers.suspended, true)))) > 0)
      throw new Error(
        'This is a suspended seller. Lift the suspension under Users first, or take another address.',
      );
    if (await isBarred(tx, email))
      throw new Error(
        'This address is barred, since its seller was deleted. Let it in again under Users first, or take another address.',
      );
    if (!known && (await heldUntil(tx, email)))
      throw new Error(
        'Another account had this address until lately, and can take it back for seven days. Take another address, or wait.',
      );
    return makeAdmin({ ...tx, auth: ctx.auth }, given);
  });
}

/**
 * Creates an admin or promotes an account; never called by a request. A promoted account keeps its
 * password, except in the demo, where mail proves nothing; sessions and mailed links end.
 */
export async function makeAdmin(ctx: WithAuth, { email, name, password }: NewAdmin): Promise<Made> {
  const address = normalEmail(email);
  // An unproven account's password could be a stranger's.
  const existing = await verifiedUser(ctx, address);
  const keepsPassword = existing && (existing.role === 'admin' || !ctx.services.env.demo);
  const passwordHash = keepsPassword ? '' : await hashPassword(ctx, password);
  await ctx.db.transaction(async (db) => {
    if (!existing) await createAccount({ ...ctx, db }, { email: address, name, passwordHash });
    const [made] = await db
      .update(user)
      .set({ role: 'admin' })
      .where(eq(user.email, address))
      .returning();
    if (!made) throw new Error('The account could not be made');
    if (existing && !keepsPassword)
      await db
        .update(account)
        .set({ password: passwordHash, updatedAt: ctx.now() })
        .where(and(eq(account.userId, made.id), eq(account.providerId, 'credential')));
    if (existing && existing.role !== 'admin') await endWaysIn({ ...ctx, db }, made.id);
    await audit(
      { ...ctx, db },
      {
        action: 'admin.create',
        subjectKind: 'user',
        subjectId: made.id,
        before: { role: existing?.role ?? null },
        after: { role: 'admin' },
      },
    );
  });
  return { created: !existing, passwordSet: !keepsPassword };
}

async function endWaysIn({ db }: Ctx, userId: string): Promise<void> {
  await db.delete(session).where(eq(session.userId, userId));
  await db.delete(verification).where(eq(verification.value, userId));
  await db.delete(signInLinks).where(eq(signInLinks.userId, userId));
}

/**
 * Takes an admin's rights, sessions, mailed links, chat links, waiting chat news and second factor;
 * account and password stay. Never called by a request. Throws for an unknown address, another
 * role, the last admin.
 */
export async function removeAdmin(ctx: Ctx, email: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await lockAdmins(tx);
    const known = await verifiedUser(tx, normalEmail(email));
    const found = known && (await lockAccount(tx, known.id));
    if (!found) throw new Error('Nobody has this address.');
    if (found.role !== 'admin') throw new Error('This account is no admin.');
    if (!(await anotherAdminStays(tx, found.id)))
      throw new Error('This is the last admin. Make another one first: bun run admin:create');
    const { secondFactors, chatLinkCodes, outbox } = schema;
    await tx.db
      .update(user)
      .set({ role: 'member', updatedAt: tx.now() })
      .where(eq(user.id, found.id));
    await endWaysIn(tx, found.id);
    await unlinkChats(tx, found.id);
    await tx.db.delete(chatLinkCodes).where(eq(chatLinkCodes.userId, found.id));
    await tx.db.delete(secondFactors).where(eq(secondFactors.userId, found.id));
    await tx.db
      .delete(outbox)
      .where(
        and(eq(outbox.userId, found.id), eq(outbox.kind, 'adminNews'), eq(outbox.state, 'waiting')),
      );
    await audit(tx, {
      action: 'admin.remove',
      subjectKind: 'user',
      subjectId: found.id,
      before: { role: 'admin' },
      after: { role: 'member' },
    });
  });
}
