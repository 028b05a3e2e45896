import { blockChat, toSend } from '../../api/chats/replies.ts';
import { forgetUnshown } from '../../api/chats/unshown.ts';
import type { Reply } from '../../api/core/chatMessages.ts';
import type { Ctx } from '../../api/core/context.ts';
import type { Post, Taken } from '../../api/outbox/delivery.ts';
import { type Chat, openAddress } from '../../api/people/chats.ts';

/** Thrown by `send` when the network says that the chat is gone; it is then marked as blocked. */
export class Gone extends Error {
  override name = 'Gone';
}

type Sending = {
  message: Taken;
  chat: Pick<Chat, 'wroteAt'>;
  reply: Reply;
  /** The chat's address in its network. */
  to: string;
  signal: AbortSignal;
};
type Network = Pick<Post, 'channel' | 'atOnce'> & {
  /** Replaces what the network would read as commands or formats. */
  plain(text: string): string;
  send(ctx: Ctx, sending: Sending): Promise<void>;
};

/** Delivery of replies and notifications to a network's chats. */
export const chatPost = ({ channel, atOnce, plain, send }: Network): Post => ({
  channel,
  atOnce,
  backoffMs: (attempts) => 2000 * 4 ** (attempts - 1),
  lost: forgetUnshown,
  async send(ctx, message, signal) {
    const found = await toSend(ctx, message.recipient, message);
    if (!found) return;
    const { chat } = found;
    const reply = { ...found.reply, text: plain(found.reply.text) };
    const to = openAddress(ctx.services.secret, chat);
    try {
      await send(ctx, { message, chat, reply, to, signal });
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
      await blockChat(ctx, chat);
    }
  },
});
