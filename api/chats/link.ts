import { createHmac, randomBytes } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { homes } from '../auth/rules.ts';
import { hasSecondFactor } from '../auth/secondFactor/secondFactor.ts';
import { newSignInLink } from '../auth/signInLink.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { countAttempt } from '../core/limits.ts';
import { inTransaction } from '../core/transaction.ts';
import type { Chat } from '../people/chats.ts';
import { type AccountSigns, mailbox, mailboxOf } from '../people/mailbox.ts';
import { notify } from '../people/notify.ts';
import { Refusal } from '../shared/errors.ts';
import { networkNames } from '../shared/networks.ts';
import { type ChatLinks, chatLinks } from './deepLinks.ts';
import { codeOf, limits, typedCode } from './rules.ts';

const { chats, chatLinkCodes: codes, sellers, user } = schema;

function accountOf({ actor }: Ctx): string {
  const userId = userIdOf(actor);
  if (userId === null) throw new Refusal('signInRequired');
  return userId;
}

/** Keyed, because 40 bits could be brute-forced from a copy of the table. */
const hashOf = ({ services }: Ctx, code: string) =>
  createHmac('sha256', services.secret).update(`chat-code:${code}`).digest('hex');

/**
 * A one-time code that links a chat to one's account; earlier codes end. Refuses
 * `chats.factorNeeded` to an admin without a second factor (with one, every session has passed it),
 * `tooManyRequests`.
 */
export async function newLinkCode(
  ctx: Ctx,
): Promise<{ code: string; expiresAt: string; links: ChatLinks }> {
  const userId = accountOf(ctx);
  if (ctx.actor.kind === 'admin' && !(await hasSecondFactor(ctx, userId)))
    throw new Refusal('chats.factorNeeded');
  await countAttempt(ctx, `chat-codes:${userId}`, limits.codesAnHour, 3600, 'tooManyRequests');
  return inTransaction(ctx, async (tx) => {
    await tx.db.delete(codes).where(and(eq(codes.userId, userId), isNull(codes.usedAt)));
    const code = codeOf(randomBytes(16));
    const createdAt = tx.now();
    const expiresAt = new Date(createdAt.getTime() + limits.codeLivesMs);
    await tx.db
      .insert(codes)
      .values({ codeHash: hashOf(tx, typedCode(code) ?? ''), userId, createdAt, expiresAt });
    return {
      code,
      expiresAt: expiresAt.toISOString(),
      links: chatLinks(tx.services.env, tx.language, { code }),
    };
  });
}

/** Locks the code's row. Refuses `chats.codeInvalid`, `chats.factorNeeded`. */
async function named(
  tx: Ctx,
  codeHash: string,
): Promise<{ userId: string; account: AccountSigns }> {
  const [row] = await tx.db
    .select({
      userId: user.id,
      email: mailbox,
      role: user.role,
      number: sellers.verifiedWhatsapp,
      usedAt: codes.usedAt,
      expiresAt: codes.expiresAt,
    })
    .from(codes)
    .innerJoin(user, eq(user.id, codes.userId))
    .leftJoin(sellers, eq(sellers.userId, user.id))
    .where(eq(codes.codeHash, codeHash))
    .for('update', { of: codes });
  if (!row || row.usedAt || row.expiresAt <= tx.now()) throw new Refusal('chats.codeInvalid');
  // The account may have become an admin's, or lost its factor, since.
  if (row.role === 'admin' && !(await hasSecondFactor(tx, row.userId)))
    throw new Refusal('chats.factorNeeded');
  return { userId: row.userId, account: { email: row.email, provenNumber: row.number } };
}

const markUsed = ({ db, now }: Ctx, codeHash: string) =>
  db.update(codes).set({ usedAt: now() }).where(eq(codes.codeHash, codeHash));

/**
 * Reads a code's account without using the code. Refuses `chats.codeInvalid` (wrong, used,
 * expired), `chats.factorNeeded`, `auth.tooManyAttempts` (per chat).
 */
export async function readLinkCode(
  ctx: Ctx,
  { keyHash }: Pick<Chat, 'keyHash'>,
  typed: string,
): Promise<{ codeHash: string; account: AccountSigns }> {
  // Outside the transaction, so refused attempts count too.
  await countAttempt(ctx, `chat-code:${keyHash}`, limits.tries, 900);
  const code = typedCode(typed);
  if (!code) throw new Refusal('chats.codeInvalid');
  const codeHash = hashOf(ctx, code);
  const { account } = await inTransaction(ctx, (tx) => named(tx, codeHash));
  return { codeHash, account };
}

/** Uses up a code whose account was declined. */
export async function declineLink(ctx: Ctx, codeHash: string): Promise<void> {
  await markUsed(ctx, codeHash);
}

/**
 * Links a chat to a code's account and mails its owner. Another account's chat moves over, as the
 * person holds the phone. Refuses `chats.codeInvalid`, `chats.factorNeeded`, `chats.onlyWayIn` if
 * it is that account's only sign-in.
 */
export async function linkChat(
  ctx: Ctx,
  { keyHash, transport }: Pick<Chat, 'keyHash' | 'transport'>,
  codeHash: string,
): Promise<{ account: AccountSigns }> {
  return inTransaction(ctx, async (tx) => {
    const row = await named(tx, codeHash);
    const [chat] = await tx.db
      .select({ userId: chats.userId })
      .from(chats)
      .where(eq(chats.keyHash, keyHash))
      .for('update');
    if (chat?.userId && chat.userId !== row.userId) await keepWayIn(tx, chat.userId);
    await markUsed(tx, codeHash);
    await tx.db
      .update(chats)
      .set({ userId: row.userId, linkedAt: tx.now(), language: null, notices: true })
      .where(eq(chats.keyHash, keyHash));
    await notify(
      tx,
      { userId: row.userId },
      'chatLinked',
      { channel: networkNames[transport] },
      'forgot-password',
    );
    return { account: row.account };
  });
}

const nobodys = { userId: null, linkedAt: null, state: {} };

/** Protects the last chat of an account without email. Refuses `chats.onlyWayIn`. */
async function keepWayIn(ctx: Ctx, userId: string): Promise<void> {
  // The lock lets only one of two concurrent unlinks pass.
  const [account] = await ctx.db.select().from(user).where(eq(user.id, userId)).for('update');
  if (!account || mailboxOf(account) !== null) return;
  if ((await ctx.db.$count(chats, eq(chats.userId, userId))) <= 1)
    throw new Refusal('chats.onlyWayIn');
}

/**
 * Unlinks the current chat. Refuses `chats.onlyWayIn` unless confirmed with `anyway`: a stranger's
 * link must not trap a person in an account.
 */
export async function leaveChat(
  ctx: Ctx,
  { keyHash }: Pick<Chat, 'keyHash'>,
  { anyway = false } = {},
): Promise<void> {
  if (!anyway) await keepWayIn(ctx, accountOf(ctx));
  await ctx.db
    .update(chats)
    .set({ ...nobodys, language: ctx.language })
    .where(and(eq(chats.keyHash, keyHash), eq(chats.userId, accountOf(ctx))));
}

/** Unlinks one's own chat. Refuses `notFound`, also for another's, and `chats.onlyWayIn`. */
export async function unlinkChat(ctx: Ctx, id: string): Promise<{ unlinked: true }> {
  return inTransaction(ctx, async (tx) => {
    const gone = and(eq(chats.id, id), eq(chats.userId, accountOf(tx)));
    if ((await tx.db.$count(chats, gone)) === 0) throw new Refusal('notFound');
    await keepWayIn(tx, accountOf(tx));
    await tx.db
      .update(chats)
      .set({ ...nobodys, language: tx.language })
      .where(gone);
    return { unlinked: true };
  });
}

/** Switches notifications in one's own chat. Refuses `notFound`. */
export async function switchNotices(ctx: Ctx, id: string, on: boolean): Promise<{ on: boolean }> {
  const switched = await ctx.db
    .update(chats)
    .set({ notices: on })
    .where(and(eq(chats.id, id), eq(chats.userId, accountOf(ctx))))
    .returning({ id: chats.id });
  if (switched.length === 0) throw new Refusal('notFound');
  return { on };
}

/**
 * A single-use web sign-in link; the second factor is still asked for. Refuses `signInRequired`,
 * `tooManyRequests`.
 */
export async function signInFromChat(ctx: Ctx): Promise<{ link: string }> {
  const userId = accountOf(ctx);
  await countAttempt(ctx, `chat-sign-in:${userId}`, 10, 3600, 'tooManyRequests');
  const path = await newSignInLink(
    ctx,
    userId,
    ctx.actor.kind === 'member' ? homes.member : undefined,
    limits.signInLinkLivesMs,
  );
  return { link: `${ctx.services.env.publicUrl}/${ctx.language}/${path}` };
}
