import { and, isNull, lt, lte, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { replyWindow } from '../chats/rules.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { forgetChanges } from '../people/leftEmails.ts';
import { forgetShopSlugs } from '../sellers/slugs.ts';
import { keptMs, type Period } from '../shared/retention/periods.ts';

/** Deletes expired rows and answers their number. */
export async function forgetOldRows(ctx: Ctx): Promise<number> {
  requireAdmin(ctx);
  const before = (period: Period) => new Date(ctx.now().getTime() - keptMs(period));
  const limit = before('expiredLinks');
  const {
    rateLimit,
    pendingSignUps,
    signUpLinks,
    signInLinks,
    verification,
    session,
    contactRequests,
    contactChallenges,
    findable,
    healthChecks,
    cleanupRuns,
  } = schema;
  const { chatLinkCodes, chatUpdates, chats, numberTakings } = schema;
  const gone = [
    await ctx.db
      .delete(rateLimit)
      .where(lt(rateLimit.lastRequest, before('limitCounters').getTime()))
      .returning({ id: rateLimit.id }),
    // No grace: these hold passwords and numbers of people who may not know of it.
    await ctx.db
      .delete(pendingSignUps)
      .where(lte(pendingSignUps.expiresAt, ctx.now()))
      .returning({ id: pendingSignUps.id }),
    await ctx.db
      .delete(signUpLinks)
      .where(lt(signUpLinks.expiresAt, limit))
      .returning({ id: signUpLinks.tokenHash }),
    await ctx.db
      .delete(signInLinks)
      .where(lt(signInLinks.expiresAt, limit))
      .returning({ id: signInLinks.tokenHash }),
    await ctx.db
      .delete(verification)
      .where(lt(verification.expiresAt, limit))
      .returning({ id: verification.id }),
    await ctx.db.delete(session).where(lt(session.expiresAt, limit)).returning({ id: session.id }),
    await ctx.db
      .delete(contactRequests)
      .where(lt(contactRequests.requestedAt, before('contacts')))
      .returning({ id: contactRequests.id }),
    // No search reads these any more.
    await ctx.db
      .delete(findable)
      .where(lte(findable.endedAt, before('searchable')))
      .returning({ id: findable.productId }),
    await ctx.db
      .delete(contactChallenges)
      .where(lt(contactChallenges.askedAt, before('questions')))
      .returning({ id: contactChallenges.id }),
    await ctx.db
      .delete(chatLinkCodes)
      .where(lt(chatLinkCodes.expiresAt, limit))
      .returning({ id: chatLinkCodes.codeHash }),
    // Transports may redeliver a message for this long.
    await ctx.db
      .delete(chatUpdates)
      .where(lt(chatUpdates.receivedAt, before('messagesToBot')))
      .returning({ id: chatUpdates.turn }),
    await ctx.db
      .delete(chats)
      .where(
        and(
          isNull(chats.userId),
          lt(
            sql`coalesce(${chats.wroteAt}, ${chats.createdAt})`,
            before('strangersChats').toISOString(),
          ),
        ),
      )
      .returning({ id: chats.id }),
    await ctx.db
      .delete(numberTakings)
      .where(lt(numberTakings.takenAt, before('numberTakings')))
      .returning({ id: numberTakings.numberKey }),
    await forgetShopSlugs(ctx),
    await ctx.db
      .delete(healthChecks)
      .where(lt(healthChecks.checkedAt, before('healthChecks')))
      .returning({ id: healthChecks.id }),
    await ctx.db
      .delete(cleanupRuns)
      .where(lt(cleanupRuns.startedAt, before('cleanupRuns')))
      .returning({ id: cleanupRuns.id }),
  ];
  return (
    gone.reduce((sum, rows) => sum + rows.length, 0) +
    (await forgetChanges(ctx)) +
    (await forgetEvents(ctx, before('visits'))) +
    (await forgetMails(ctx, before('mails')))
  );
}

/** The largest table; small batches hold no lock for long. */
async function forgetEvents(ctx: Ctx, rolledBefore: Date, batch = 10_000): Promise<number> {
  for (let gone = 0; ; ) {
    const { count } = await ctx.db.execute(sql`
      delete from engagement_events where id in
        (select id from engagement_events
          where rolled_at < ${rolledBefore.toISOString()}::timestamptz order by id limit ${batch})`);
    gone += count;
    if (count < batch || ctx.signal?.aborted) return gone;
  }
}

/** Waiting emails stay. A chat message that waited three days is outdated. */
async function forgetMails(ctx: Ctx, writtenBefore: Date): Promise<number> {
  const stale = new Date(ctx.now().getTime() - replyWindow.waitMs);
  const { count } = await ctx.db.execute(sql`
    delete from outbox where (state <> 'waiting' and created_at < ${writtenBefore.toISOString()}::timestamptz)
      or (channel <> 'email' and state = 'waiting' and lease is null
        and created_at < ${stale.toISOString()}::timestamptz)`);
  return count;
}
