import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../shared/errors.ts';

const { chats } = schema;

/** Switches notifications in one's own chat; on also ends a stop. Refuses `notFound`. */
export async function switchNotices(ctx: Ctx, id: string, on: boolean): Promise<{ on: boolean }> {
  const { userId } = requireAccount(ctx);
  const switched = await ctx.db
    .update(chats)
    .set({ notices: on, ...(on ? { stoppedAt: null } : {}) })
    .where(and(eq(chats.id, id), eq(chats.userId, userId)))
    .returning({ id: chats.id });
  if (switched.length === 0) throw new Refusal('notFound');
  return { on };
}
