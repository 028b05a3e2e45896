import { createHmac, randomUUID } from 'node:crypto';
import { and, eq, exists } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { transports } from '../../db/schema/people.ts';
import type { Ctx } from '../core/context.ts';
import type { Env } from '../core/env.ts';
import { seal, unseal } from '../core/seal.ts';
import { actorWith, sellerColumns } from './actor.ts';

export type Transport = (typeof transports)[number];
export type Chat = typeof schema.chats.$inferSelect;
type Sealed = Pick<Chat, 'transport' | 'keyHash' | 'sealedAddress'>;

/** Whether the market has a chat at all: on a network, or the demo's own. */
export const hasChat = ({ networks }: Env): boolean => networks.length > 0;

/** The keyed hash by which lookups, limits, the audit log, the outbox and the log know a chat: the same each time, and nobody's address. */
export function chatKey(secret: string, transport: Transport, address: string): string {
  return createHmac('sha256', secret).update(`chat:${transport}:${address}`).digest('hex');
}

/** A sealed address is good for its own row alone. */
const rowOf = ({ transport, keyHash }: Pick<Sealed, 'transport' | 'keyHash'>) =>
  `${transport}:${keyHash}`;

/** Encrypts a text for a chat's row. */
export const sealFor = (
  secret: string,
  chat: Pick<Sealed, 'transport' | 'keyHash'>,
  text: string,
): string => seal(secret, 'marche54 chat address', rowOf(chat), text);

/** What was sealed for a chat. Throws when it is another chat's, was tampered with, or another secret sealed it. */
export const openFor = (
  secret: string,
  chat: Pick<Sealed, 'transport' | 'keyHash'>,
  text: string,
): string => unseal(secret, 'marche54 chat address', rowOf(chat), text);

/** The row of a chat's address. */
export function sealAddress(secret: string, transport: Transport, address: string): Sealed {
  const chat = { transport, keyHash: chatKey(secret, transport, address) };
  return { ...chat, sealedAddress: sealFor(secret, chat, address) };
}

/** The address of a chat. The delivery alone opens it, to send. Throws as {@link openFor} does. */
export const openAddress = (secret: string, { sealedAddress, ...chat }: Sealed): string =>
  openFor(secret, chat, sealedAddress);

/**
 * What a verb gets first when somebody writes in a chat: the account that the chat is linked to, else a visitor, whom limits know by the
 * chat's key alone.
 * @param number the phone number (E.164) that the transport itself delivered with this message, if it did
 */
export async function chatContext(
  { db, services, now }: Pick<Ctx, 'db' | 'services' | 'now'>,
  {
    transport,
    keyHash,
    userId,
    language,
  }: Pick<Chat, 'transport' | 'keyHash' | 'userId' | 'language'>,
  number?: string,
): Promise<Ctx> {
  const { user, sellers } = schema;
  const person = db
    .select({ account: user, seller: sellerColumns })
    .from(user)
    .leftJoin(sellers, eq(sellers.userId, user.id));
  const [{ account, seller } = {}] = userId ? await person.where(eq(user.id, userId)) : [];
  return {
    db,
    services,
    now,
    actor: account ? actorWith(account, seller ?? null, null) : { kind: 'visitor' },
    via: transport,
    language: account?.language ?? language ?? 'en',
    requestId: `chat-${randomUUID()}`,
    client: {
      visitor: `${transport}:${keyHash}`,
      addressHash: keyHash,
      userAgent: '',
      ...(number === undefined ? {} : { number }),
    },
  };
}

/**
 * Ends the links of all chats of an account: what a new password and signing out everywhere else end too. Not of one that has no mailbox: its
 * chats are its only way in.
 */
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
    .set({ userId: null, linkedAt: null, state: {} })
    .where(and(eq(chats.userId, userId), otherWays));
}
