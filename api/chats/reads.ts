import { desc, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { hasChat } from '../people/chats.ts';

/** The chats that are linked to whoever asks: through what, since when, and whether they are told there. */
export async function ownChats(ctx: Ctx) {
  const userId = userIdOf(ctx.actor);
  if (userId === null) throw new Refusal('signInRequired');
  const { chats: c } = schema;
  const { demo, TELEGRAM_BOT_TOKEN } = ctx.services.env;
  const rows = await ctx.db
    .select()
    .from(c)
    .where(eq(c.userId, userId))
    .orderBy(desc(c.linkedAt), desc(c.id));
  return {
    /** Whether the market has a chat, so that there is one to link. */
    open: hasChat(ctx.services.env),
    chats: rows.map(({ id, transport, linkedAt, wroteAt, blockedAt, notices }) => ({
      id,
      // The demo's own chat stands where Telegram's would.
      transport: demo && !TELEGRAM_BOT_TOKEN ? ('demo' as const) : transport,
      linkedAt: linkedAt?.toISOString() ?? null,
      wroteAt: wroteAt?.toISOString() ?? null,
      blocked: blockedAt !== null,
      notices,
    })),
  };
}
