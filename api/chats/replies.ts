import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Reply } from '../core/chatMessages.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { replyKind } from '../outbox/outbox.ts';
import { type Chat, openFor, sealFor } from '../people/chats.ts';

const { chats, outbox } = schema;

/** Sealed, because a reply may contain a phone number. */
export function replyRows(
  { services, language, now }: Ctx,
  { transport, keyHash }: Pick<Chat, 'transport' | 'keyHash'>,
  replies: readonly Reply[],
  kind = replyKind,
) {
  const at = now();
  const words = {
    channel: transport,
    recipient: keyHash,
    language,
    kind,
    subject: '',
    bodyText: '',
    bodyHtml: '',
    nextAttemptAt: at,
    createdAt: at,
  };
  return replies.map((reply) => ({
    ...words,
    sealed: sealFor(services.secret, { transport, keyHash }, JSON.stringify(reply)),
  }));
}

export async function writeReplies(
  tx: Tx,
  chat: Pick<Chat, 'transport' | 'keyHash'>,
  replies: readonly Reply[],
): Promise<void> {
  if (replies.length > 0) await tx.db.insert(outbox).values(replyRows(tx, chat, replies));
}

/** Undefined if the chat is gone or blocked; a closed or stopped chat is only answered. */
export async function toSend(
  { db, services }: Ctx,
  keyHash: string,
  message: { kind: string; bodyText: string; sealed: string | null },
) {
  const [chat] = await db.select().from(chats).where(eq(chats.keyHash, keyHash));
  const isOnlyAnswered = chat?.closedAt || chat?.stoppedAt;
  if (!chat || chat.blockedAt || (isOnlyAnswered && message.kind !== replyKind)) return undefined;
  return { chat, reply: openReply(services.secret, chat, message) };
}

/** The text and the sealed parts of an outbox row as a reply. */
export function openReply(
  secret: string,
  chat: Pick<Chat, 'transport' | 'keyHash'>,
  { bodyText, sealed }: { bodyText: string; sealed: string | null },
): Reply {
  const more = sealed === null ? {} : (JSON.parse(openFor(secret, chat, sealed)) as Partial<Reply>);
  return { text: bodyText, ...more };
}

/** Marks a chat as blocked until its person writes again, and deletes its waiting messages. */
export async function blockChat(
  ctx: Ctx,
  { keyHash, transport }: Pick<Chat, 'keyHash' | 'transport'>,
): Promise<void> {
  await ctx.db.update(chats).set({ blockedAt: ctx.now() }).where(eq(chats.keyHash, keyHash));
  await ctx.db
    .delete(outbox)
    .where(
      and(
        eq(outbox.channel, transport),
        eq(outbox.recipient, keyHash),
        eq(outbox.state, 'waiting'),
      ),
    );
}
