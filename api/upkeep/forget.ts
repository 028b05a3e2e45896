import { lt } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';

/** Deletes rows that nothing asks for any more: attempts, links, sessions and contact counts older than two days. Returns how many went. */
export async function forgetOldRows(ctx: Ctx): Promise<number> {
  const limit = new Date(ctx.now().getTime() - 2 * 86_400_000);
  const { rateLimit, verificationLinks, verification, session, contactRequests } = schema;
  const gone = [
    await ctx.db.delete(rateLimit).where(lt(rateLimit.lastRequest, limit.getTime())).returning({ id: rateLimit.id }),
    await ctx.db.delete(verificationLinks).where(lt(verificationLinks.expiresAt, limit)).returning({ id: verificationLinks.tokenHash }),
    await ctx.db.delete(verification).where(lt(verification.expiresAt, limit)).returning({ id: verification.id }),
    await ctx.db.delete(session).where(lt(session.expiresAt, limit)).returning({ id: session.id }),
    await ctx.db.delete(contactRequests).where(lt(contactRequests.requestedAt, limit)).returning({ id: contactRequests.id }),
  ];
  return gone.reduce((sum, rows) => sum + rows.length, 0);
}
