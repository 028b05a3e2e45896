import { openChat } from '../../api/chats/chat.ts';
import { type Incoming, receive } from '../../api/chats/inbox.ts';
import { writeReplies } from '../../api/chats/replies.ts';
import type { Ctx } from '../../api/core/context.ts';
import { inTransaction } from '../../api/core/transaction.ts';
import { createBuckets } from '../../api/http/pace.ts';
import { chatKey } from '../../api/people/chats.ts';
import { translator } from '../../locales/index.ts';

/** Limit per chat: faster than people type, slower than a program. */
const pace = { burst: 20, seconds: 60 };
const mostChats = 50_000;

/**
 * Stores an incoming message, or asks its chat to slow down; the transport may then acknowledge.
 */
export function createReceiver(ctx: Ctx): (incoming: Incoming) => Promise<void> {
  const messages = createBuckets(pace, mostChats);
  const warnings = createBuckets({ burst: 1, seconds: 60 }, mostChats);
  return async (incoming) => {
    const now = ctx.now();
    const keyHash = chatKey(ctx.services.secret, incoming.transport, incoming.address);
    const wait = messages.wait(keyHash, now);
    if (wait === 0) {
      // A redelivered message must not use up the chat's limit.
      if (await receive(ctx, incoming)) messages.take(keyHash, now);
      return;
    }
    if (warnings.take(keyHash, now) > 0) return;
    ctx.services.log.warn('A chat writes too fast', { chat: keyHash });
    await inTransaction(ctx, async (tx) => {
      const opened = await openChat(tx, keyHash);
      const text = translator(opened?.ctx.language ?? 'en', 'bot')('slow', {
        count: Math.ceil(wait / 1000),
      });
      if (opened) await writeReplies(tx, opened.chat, [{ text }]);
    });
  };
}
