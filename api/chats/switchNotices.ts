import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../shared/errors.ts';
import { accountOf } from './linkCodes.ts';

const { chats } = schema;

/** Switches notifications in one's own chat. Refuses `notFound`. */
export async function switchNotices(ctx: Ctx, id: string, on: boolean): Promise<{ on: boolean }> {
  const switched = await ctx.db
    .update(chats)
    .set({ notices: on })
    .where(and(eq(chats.id, id), eq(chats.userId, accountOf(ctx))))
    .returning({ id: chats.id });
  if (switched.length === 0) throw new Refusal('notFound');
  return { on };
}
