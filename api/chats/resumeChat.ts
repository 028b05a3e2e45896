import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { openToEveryone } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import type { Chat } from '../people/chats.ts';

const { chats } = schema;

/** Sends unasked messages to a stopped chat again. */
export async function resumeChat(ctx: Ctx, { keyHash }: Pick<Chat, 'keyHash'>): Promise<void> {
  openToEveryone(ctx);
  await ctx.db
    .update(chats)
    .set({ stoppedAt: null, notices: true })
    .where(eq(chats.keyHash, keyHash));
}
