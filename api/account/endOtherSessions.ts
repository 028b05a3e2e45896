import { and, eq, ne } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { unlinkChats } from '../people/chats.ts';

const { session } = schema;

/** Signs out all other sessions and unlinks chats; from a chat, all sessions. */
export async function endOtherSessions(ctx: Ctx): Promise<{ ended: number }> {
  const { userId, sessionId } = requireAccount(ctx);
  const gone = await ctx.db
    .delete(session)
    .where(
      and(eq(session.userId, userId), sessionId === null ? undefined : ne(session.id, sessionId)),
    )
    .returning({ id: session.id });
  await unlinkChats(ctx, userId);
  return { ended: gone.length };
}
