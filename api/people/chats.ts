import { createHmac, randomUUID } from 'node:crypto';
import { and, eq, exists } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { transports } from '../../db/vocabularies.ts';
import type { Sender } from '../core/chatMessages.ts';
import type { Ctx } from '../core/context.ts';
import type { Env } from '../ops/env.ts';
import { seal, unseal } from '../outbox/sealing.ts';
import { actorWith, sellerColumns } from './actor.ts';

export type Transport = (typeof transports)[number];
export type Chat = typeof schema.chats.$inferSelect;
type Sealed = Pick<Chat, 'transport' | 'keyHash' | 'sealedAddress'>;

/** True if a chat network, or the demo's chat, is configured. */
export const hasChat = ({ networks }: Env): boolean => networks.length > 0;

/** Keyed hash that names a chat in lookups, limits and logs without its address. */
export function chatKey(secret: string, transport: Transport, address: string): string {
  return createHmac('sha256', secret).update(`chat:${transport}:${address}`).digest('hex');
}

/** Binds a sealed text to its own row. */
const rowOf = ({ transport, keyHash }: Pick<Sealed, 'transport' | 'keyHash'>) =>
  `${transport}:${keyHash}`;

export const sealFor = (
  secret: string,
  chat: Pick<Sealed, 'transport' | 'keyHash'>,
  text: string,
): string => seal(secret, 'marche54 chat address', rowOf(chat), text);

/**
 * Decrypts a text of {@link sealFor}. Throws for another chat's, a changed one, or another secret.
 */
export const openFor = (
  secret: string,
  chat: Pick<Sealed, 'transport' | 'keyHash'>,
  text: string,
): string => unseal(secret, 'marche54 chat address', rowOf(chat), text);

export function sealAddress(secret: string, transport: Transport, address: string): Sealed {
  const chat = { transport, keyHash: chatKey(secret, transport, address) };
  return { ...chat, sealedAddress: sealFor(secret, chat, address) };
}

/** Decrypts a chat's address; only the delivery may. Throws as {@link openFor}. */
export const openAddress = (secret: string, { sealedAddress, ...chat }: Sealed): string =>
  openFor(secret, chat, sealedAddress);

/** A chat that acts for its account again. */
export const opened = { closedAt: null, closedWhy: null, backAskedAt: null, backNotices: [] };
/** A chat without an account. */
export const unlinked = {
  ...{ userId: null, linkedAt: null, state: {}, morningOn: false },
  ...opened,
};

/**
 * Context of a chat message: the linked account, else a visitor, whom limits know by the chat's
 * key. A closed chat is a visitor's.
 * @param sender what the transport said with this message
 */
export async function chatContext(
  { db, services, now }: Pick<Ctx, 'db' | 'services' | 'now'>,
  {
    transport,
    keyHash,
    userId,
    language,
    contactedAt,
    closedAt,
  }: Pick<Chat, 'transport' | 'keyHash' | 'userId' | 'language' | 'contactedAt' | 'closedAt'>,
  { number, oldNumber }: Sender = {},
): Promise<Ctx> {
  const { user, sellers } = schema;
  const person = db
    .select({ account: user, seller: sellerColumns })
    .from(user)
    .leftJoin(sellers, eq(sellers.userId, user.id));
  const acts = userId !== null && closedAt === null;
  const [{ account, seller } = {}] = acts ? await person.where(eq(user.id, userId)) : [];
  return {
    db,
    services,
    now,
    actor: account ? actorWith(account, seller ?? null, null) : { kind: 'visitor' },
    via: transport,
    language: language ?? account?.language ?? 'en',
    requestId: `chat-${randomUUID()}`,
    client: {
      visitor: `${transport}:${keyHash}`,
      addressHash: keyHash,
      since: earliest(contactedAt, account?.createdAt),
      userAgent: '',
      ...(number === undefined ? {} : { number }),
      ...(oldNumber === undefined ? {} : { oldNumber }),
    },
  };
}

const earliest = (one: Date | null, other: Date | null = null): Date | null =>
  one && other ? (one < other ? one : other) : (one ?? other);

/** Unlinks all chats of an account, unless it has no mailbox: then they are its only sign-in. */
export async function unlinkChats({ db }: Pick<Ctx, 'db'>, userId: string): Promise<void> {
  const { chats, user } = schema;
  const otherWays = exists(
    db
      .select({ id: user.id })
      .from(user)
      .where(and(eq(user.id, userId), eq(user.emailVerified, true))),
  );
  await db
    .update(chats)
    .set(unlinked)
    .where(and(eq(chats.userId, userId), otherWays));
}
