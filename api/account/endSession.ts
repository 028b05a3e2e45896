import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../shared/errors.ts';

const { session } = schema;

/** Signs out one of the person's own sessions. Refuses `notFound`, also for another's. */
export async function endSession(ctx: Ctx, id: string): Promise<{ ended: number }> {
  const { userId } = requireAccount(ctx);
  const gone = await ctx.db
    .delete(session)
    .where(and(eq(session.id, id), eq(session.userId, userId)))
    .returning({ id: session.id });
  if (gone.length === 0) throw new Refusal('notFound');
  return { ended: 1 };
}
