import { and, isNull, lt, lte, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
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
  const expired = before('expiredLinks');
  const s = schema;
  const lastWrote = sql`coalesce(${s.chats.wroteAt}, ${s.chats.createdAt})`;
  const old: [PgTable, SQL | undefined][] = [
    [s.rateLimit, lt(s.rateLimit.lastRequest, before('limitCounters').getTime())],
    // No grace: these hold passwords and numbers of people who may not know of it.
    [s.pendingSignUps, lte(s.pendingSignUps.expiresAt, ctx.now())],
    [s.signUpLinks, lt(s.signUpLinks.expiresAt, expired)],
    [s.signInLinks, lt(s.signInLinks.expiresAt, expired)],
    [s.verification, lt(s.verification.expiresAt, expired)],
    [s.session, lt(s.session.expiresAt, expired)],
    [s.contactRequests, lt(s.contactRequests.requestedAt, before('contacts'))],
    // No search reads these any more.
    [s.findable, lte(s.findable.endedAt, before('searchable'))],
    [s.contactChallenges, lt(s.contactChallenges.askedAt, before('questions'))],
    [s.chatLinkCodes, lt(s.chatLinkCodes.expiresAt, expired)],
    // Transports may redeliver a message for this long.
    [s.chatUpdates, lt(s.chatUpdates.receivedAt, before('messagesToBot'))],
    [s.chatUndelivered, lt(s.chatUndelivered.at, before('messagesToBot'))],
    [s.chats, and(isNull(s.chats.userId), lt(lastWrote, before('strangersChats').toISOString()))],
    [s.numberTakings, lt(s.numberTakings.takenAt, before('numberTakings'))],
    [s.healthChecks, lt(s.healthChecks.checkedAt, before('healthChecks'))],
    [s.cleanupRuns, lt(s.cleanupRuns.startedAt, before('cleanupRuns'))],
  ];
  let gone = (await forgetShopSlugs(ctx)).length;
  for (const [table, isOld] of old) gone += (await ctx.db.delete(table).where(isOld)).count;
  return (
    gone +
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
