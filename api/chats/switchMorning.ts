import { eq, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireSeller } from '../core/access.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import type { Chat } from '../people/chats.ts';

const { chats } = schema;

/** Chooses this chat for one's morning message, in place of any other, or ends the message. */
export async function switchMorning(
  ctx: Ctx,
  { keyHash }: Pick<Chat, 'keyHash'>,
  on: boolean,
): Promise<void> {
  requireSeller(ctx);
  await ctx.db
    .update(chats)
    .set({ morningOn: on ? sql`${chats.keyHash} = ${keyHash}` : false })
    .where(eq(chats.userId, userIdOf(ctx.actor) ?? ''));
}
