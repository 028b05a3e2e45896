import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { replyKind } from '../core/outbox.ts';
import { type Chat, openFor, sealFor } from '../people/chats.ts';

/** A button writes what it says into the chat, opens an address, or shares one's own number where the transport can (the others leave it out). */
export type Button =
  | { label: string; say: string }
  | { label: string; url: string }
  | { label: string; askForContact: true };
/** What the bot answers, free of any transport. `picture` is the key of a stored file. */
export type Reply = { text: string; picture?: string; buttons?: Button[][] };

const { chats, outbox } = schema;

/** Replies as rows of the outbox, sealed: one may hold the number that was asked for. They are gone once sent. */
export function replyRows(
  { services, language, now }: Ctx,
  { transport, keyHash }: Pick<Chat, 'transport' | 'keyHash'>,
  replies: readonly Reply[],
) {
  const at = now();
  const words = {
    channel: transport,
    recipient: keyHash,
    language,
    kind: replyKind,
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

/** Writes replies to the outbox, in the transaction of what they answer. */
export async function writeReplies(
  tx: Ctx,
  chat: Pick<Chat, 'transport' | 'keyHash'>,
  replies: readonly Reply[],
): Promise<void> {
  if (replies.length > 0) await tx.db.insert(outbox).values(replyRows(tx, chat, replies));
}

/** A chat as its sender needs it: where it is, and what the row of the outbox says. Nothing where nobody is to be written to. */
export async function toSend(
  { db, services }: Ctx,
  keyHash: string,
  letter: { bodyText: string; sealed: string | null },
) {
  const [chat] = await db.select().from(chats).where(eq(chats.keyHash, keyHash));
  if (!chat || chat.blockedAt) return undefined;
  const sealed =
    letter.sealed === null
      ? {}
      : (JSON.parse(openFor(services.secret, chat, letter.sealed)) as Partial<Reply>);
  const reply: Reply = { text: letter.bodyText, ...sealed };
  return { chat, reply };
}

/** The person has blocked the bot, or the chat is no more: what waits for it is not sent, and nothing more is written to it until it writes. */
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
