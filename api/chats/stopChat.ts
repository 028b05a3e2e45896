import { and, eq, isNull, ne } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { openToEveryone } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { replyKind } from '../outbox/outbox.ts';
import type { Chat } from '../people/chats.ts';
import { mailboxOf } from '../people/mailbox.ts';

const { chats, outbox, user } = schema;

/**
 * Ends every unasked message in the chat, those that wait included (decision 047). For an account
 * without a mailbox they are held instead.
 */
export async function stopChat(ctx: Ctx, { keyHash }: Pick<Chat, 'keyHash'>): Promise<void> {
  openToEveryone(ctx);
  const [chat] = await ctx.db
    .update(chats)
    .set({ stoppedAt: ctx.now(), morningOn: false })
    .where(eq(chats.keyHash, keyHash))
    .returning({ userId: chats.userId });
  if (!chat) return;
  const [account] = chat.userId
    ? await ctx.db.select().from(user).where(eq(user.id, chat.userId))
    : [];
  const unasked = and(
    eq(outbox.recipient, keyHash),
    eq(outbox.state, 'waiting'),
    ne(outbox.kind, replyKind),
    isNull(outbox.lease),
  );
  if (account && mailboxOf(account) === null)
    await ctx.db.update(outbox).set({ state: 'held' }).where(unasked);
  else await ctx.db.delete(outbox).where(unasked);
}
