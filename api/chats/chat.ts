import { isDeepStrictEqual } from 'node:util';
import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { hasSecondFactor } from '../auth/secondFactor.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import {
  type Chat,
  chatContext,
  sealAddress,
  type Transport,
  unlinkChats,
} from '../people/chats.ts';

import { type Choices, numbered } from './rules.ts';

const { chats } = schema;

/**
 * The chat in which somebody writes, locked until the answer is kept, with the context in which its person acts. An admin's chat acts only as long as
 * the account has its second factor: without it the link ends.
 */
export async function openChat(
  tx: Ctx,
  keyHash: string,
  number?: string,
): Promise<{ chat: Chat; ctx: Ctx } | undefined> {
  const [chat] = await tx.db.select().from(chats).where(eq(chats.keyHash, keyHash)).for('update');
  if (!chat) return undefined;
  const ctx = await chatContext(tx, chat, number);
  if (ctx.actor.kind !== 'admin' || (await hasSecondFactor(tx, ctx.actor.userId)))
    return { chat, ctx };
  await unlinkChats(tx, ctx.actor.userId);
  return openChat(tx, keyHash, number);
}

/** Whoever writes in a chat, for what is done ahead of the turn: nothing is locked. */
export async function contextIn(ctx: Ctx, keyHash: string): Promise<Ctx | undefined> {
  const [chat] = await ctx.db.select().from(chats).where(eq(chats.keyHash, keyHash));
  return chat && chatContext(ctx, chat);
}

/** What a turn of the conversation leaves behind, where that is not what stands there already. */
export async function keepChat(
  tx: Ctx,
  chat: Chat,
  kept: Partial<Pick<Chat, 'state' | 'language' | 'notices'>>,
): Promise<void> {
  const asItIs = Object.entries(kept).every(([name, value]) =>
    isDeepStrictEqual(value, chat[name as keyof typeof kept]),
  );
  if (!asItIs) await tx.db.update(chats).set(kept).where(eq(chats.keyHash, chat.keyHash));
}

/**
 * Buttons as numbered lines, for a network that has none. What each number says is kept with the chat, beside what stands there already, before the
 * lines are sent: whoever answers at once is understood.
 */
export async function offerNumbers(
  ctx: Ctx,
  keyHash: string,
  buttons: Parameters<typeof numbered>[0],
): Promise<string[]> {
  return inTransaction(ctx, async ({ db }) => {
    const [chat] = await db
      .select({ state: chats.state })
      .from(chats)
      .where(eq(chats.keyHash, keyHash))
      .for('update');
    const state = (chat?.state ?? {}) as { choices?: Choices };
    const { lines, choices } = numbered(buttons, state.choices ?? {});
    await db
      .update(chats)
      .set({ state: { ...state, choices } })
      .where(eq(chats.keyHash, keyHash));
    return lines;
  });
}

/** A chat that no transport delivers: the terminal's. */
export async function beginChat(ctx: Ctx, transport: Transport, address: string): Promise<string> {
  const sealed = sealAddress(ctx.services.secret, transport, address);
  await ctx.db.insert(chats).values({ ...sealed, createdAt: ctx.now() });
  return sealed.keyHash;
}

export async function endChat(ctx: Ctx, keyHash: string): Promise<void> {
  await ctx.db.delete(chats).where(eq(chats.keyHash, keyHash));
}
