import { randomUUID } from 'node:crypto';
import { and, eq, notExists } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { heldUntil } from '../people/leftEmails.ts';
import { addressOfNobody } from '../people/mailbox.ts';
import { Refusal } from '../shared/errors.ts';
import type { WithAuth } from './context.ts';

const { user, account, sellers, products } = schema;
/** Version of the terms, and when it was agreed to. */
type Agreed = { to: string; at: Date };
const agreedColumns = (agreed: Agreed | undefined) =>
  agreed ? { agreedTo: agreed.to, agreedAt: agreed.at } : {};

export async function verifiedUser(ctx: Ctx, email: string) {
  const [row] = await ctx.db
    .select()
    .from(user)
    .where(and(eq(user.email, email), eq(user.emailVerified, true)));
  return row;
}

export async function hashPassword(ctx: WithAuth, password: string): Promise<string> {
  const { password: hasher } = await ctx.auth.$context;
  return hasher.hash(password);
}

/** `google` is the subject of the Google account. */
type NewAccount = {
  email: string;
  name: string;
  language?: Language;
  agreed?: Agreed | undefined;
} & ({ passwordHash: string } | { google: string });

const newId = async ({ auth }: Pick<WithAuth, 'auth'>, model: 'user' | 'account') =>
  (await auth.$context).generateId({ model }) || crypto.randomUUID();
export const newAccountId = (ctx: Pick<WithAuth, 'auth'>) => newId(ctx, 'account');

/**
 * Creates an account with a proven address, replacing an unproven one; needs a transaction. Refuses
 * `auth.emailTaken` for an address that another account left in the last days.
 */
export async function createAccount(
  ctx: WithAuth,
  { email, name, language, agreed, ...way }: NewAccount,
): Promise<{ id: string }> {
  await dropUnproven(ctx, email);
  const id = await newId(ctx, 'user');
  const at = { createdAt: ctx.now(), updatedAt: ctx.now() };
  await ctx.db.insert(user).values({
    ...{ id, email, name, emailVerified: true, ...(language ? { language } : {}), ...at },
    ...agreedColumns(agreed),
  });
  // After the insert, which waits for a transaction that gives this address up.
  if (await heldUntil(ctx, email, id)) throw new Refusal('auth.emailTaken');
  const first =
    'google' in way
      ? { providerId: 'google', accountId: way.google }
      : { providerId: 'credential', accountId: id, password: way.passwordHash };
  await ctx.db.insert(account).values({ id: await newAccountId(ctx), userId: id, ...first, ...at });
  await dropPending(ctx, email);
  return { id };
}

/**
 * Creates an account for a chat, whose transport has proven only a number: no mailbox, no sign-in
 * but a link from that chat (decision 049). Needs the transaction that links the chat.
 */
export async function createAccountInChat(
  ctx: Ctx,
  { name, agreedTo }: { name: string; agreedTo?: string | undefined },
): Promise<{ id: string }> {
  const id = randomUUID();
  const at = { createdAt: ctx.now(), updatedAt: ctx.now() };
  await ctx.db.insert(user).values({
    id,
    email: addressOfNobody(),
    name,
    emailVerified: false,
    language: ctx.language,
    ...at,
    ...agreedColumns(agreedTo ? { to: agreedTo, at: ctx.now() } : undefined),
  });
  return { id };
}

export async function dropUnproven(ctx: Ctx, email: string): Promise<void> {
  const [unproven] = await ctx.db
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.email, email), eq(user.emailVerified, false)));
  if (!unproven) return;
  const listed = ctx.db
    .select({ id: products.id })
    .from(products)
    .where(eq(products.sellerId, sellers.id));
  await ctx.db.delete(sellers).where(and(eq(sellers.userId, unproven.id), notExists(listed)));
  await ctx.db.delete(user).where(eq(user.id, unproven.id));
}

/** Ends every waiting sign-up and link of an address just proven. */
export async function dropPending(ctx: Ctx, email: string): Promise<void> {
  const { pendingSignUps, signUpLinks } = schema;
  await ctx.db.update(signUpLinks).set({ usedAt: ctx.now() }).where(eq(signUpLinks.email, email));
  await ctx.db.delete(pendingSignUps).where(eq(pendingSignUps.email, email));
}
