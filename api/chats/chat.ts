import { isDeepStrictEqual } from 'node:util';
import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { hasSecondFactor } from '../auth/secondFactor/secondFactor.ts';
import { isTeam } from '../core/access.ts';
import type { Sender } from '../core/chatMessages.ts';
import type { Ctx, Tx } from '../core/context.ts';
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

/** Locks a chat for one turn. Unlinks an admin's chat once the account has no second factor. */
export async function openChat(
  tx: Tx,
  keyHash: string,
  sender: Sender = {},
): Promise<{ chat: Chat; ctx: Ctx } | undefined> {
  const [chat] = await tx.db.select().from(chats).where(eq(chats.keyHash, keyHash)).for('update');
  if (!chat) return undefined;
  const ctx = await chatContext(tx, chat, sender);
  if (await mayAct(ctx)) return { chat, ctx };
  await unlinkChats(tx, chat.userId ?? '');
  return openChat(tx, keyHash, sender);
}

/** The chat's context, without a lock; undefined for an admin without a second factor. */
export async function contextIn(host: Ctx, keyHash: string): Promise<Ctx | undefined> {
  const [chat] = await host.db.select().from(chats).where(eq(chats.keyHash, keyHash));
  const ctx = chat && (await chatContext(host, chat));
  return ctx && (await mayAct(ctx)) ? ctx : undefined;
}

/** An admin or a moderator acts in a chat only with a second factor (decision 047). */
const mayAct = async (ctx: Ctx): Promise<boolean> =>
  !('userId' in ctx.actor) || !isTeam(ctx.actor.kind) || hasSecondFactor(ctx, ctx.actor.userId);

export async function keepChat(
  tx: Tx,
  chat: Chat,
  kept: Partial<Pick<Chat, 'state' | 'language' | 'notices'>>,
): Promise<void> {
  const asItIs = Object.entries(kept).every(([name, value]) =>
    isDeepStrictEqual(value, chat[name as keyof typeof kept]),
  );
  if (!asItIs) await tx.db.update(chats).set(kept).where(eq(chats.keyHash, chat.keyHash));
}

/**
 * Numbered lines for networks without buttons. Saves the choices before sending, so an instant
 * answer is understood.
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
      .set({ state: { ...state, choices, offeredAt: ctx.now().toISOString() } })
      .where(eq(chats.keyHash, keyHash));
    return lines;
  });
}

/** Creates a chat without a transport, for the terminal. */
export async function beginChat(ctx: Ctx, transport: Transport, address: string): Promise<string> {
  const sealed = sealAddress(ctx.services.secret, transport, address);
  await ctx.db.insert(chats).values({ ...sealed, createdAt: ctx.now() });
  return sealed.keyHash;
}

export async function endChat(ctx: Ctx, keyHash: string): Promise<void> {
  await ctx.db.delete(chats).where(eq(chats.keyHash, keyHash));
}
