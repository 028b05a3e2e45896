import { desc, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { hasChat } from '../people/chats.ts';

export async function ownChats(ctx: Ctx) {
  const { userId } = requireAccount(ctx);
  const { chats: c } = schema;
  const { demo, TELEGRAM_BOT_TOKEN } = ctx.services.env;
  const rows = await ctx.db
    .select()
    .from(c)
    .where(eq(c.userId, userId))
    .orderBy(desc(c.linkedAt), desc(c.id));
  return {
    open: hasChat(ctx.services.env),
    chats: rows.map(
      ({ id, transport, linkedAt, wroteAt, blockedAt, stoppedAt, notices, ...row }) => ({
        id,
        // The demo's network runs in Telegram's place.
        transport: demo && !TELEGRAM_BOT_TOKEN ? ('demo' as const) : transport,
        linkedAt: linkedAt?.toISOString() ?? null,
        wroteAt: wroteAt?.toISOString() ?? null,
        blocked: blockedAt !== null,
        notices: notices && stoppedAt === null,
        /** Undefined while the chat acts for the account. */
        closed:
          row.closedAt && row.closedWhy
            ? {
                why: row.closedWhy,
                since: row.closedAt.toISOString(),
                backAskedAt: row.backAskedAt?.toISOString() ?? null,
              }
            : undefined,
      }),
    ),
  };
}
