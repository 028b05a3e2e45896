import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';

/** Ends the subscription of this browser. */
export async function unsubscribe(ctx: Ctx): Promise<void> {
  const { sessionId } = requireAccount(ctx);
  const { pushSubscriptions: b } = schema;
  if (sessionId !== null) await ctx.db.delete(b).where(eq(b.sessionId, sessionId));
}
