import { and, type Column, getTableName, isNull, lt, lte, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { forgetChanges } from '../people/leftEmails.ts';
import { replyWindow } from '../people/window.ts';
import { forgetShopSlugs } from '../sellers/slugs.ts';
import { deletesUntil } from '../shared/retention/deletesUntil.ts';
import { keptMs } from '../shared/retention/periods.ts';

const job = 'forget-old-rows';

/** Deletes the rows that are older than their line of the retention table says; answers how many. */
export async function forgetOldRows(ctx: Ctx): Promise<number> {
  requireAdmin(ctx);
  const s = schema;
  const expired = (at: Column) => (before: Date) => lt(at, before);
  const lastWrote = sql`coalesce(${s.chats.wroteAt}, ${s.chats.createdAt})`;
  const old: [PgTable, (before: Date) => SQL | undefined][] = [
    [s.rateLimit, (before) => lt(s.rateLimit.lastRequest, before.getTime())],
    // Their period began with the newest link. These hold passwords and numbers of people who may
    // not know of it.
    [s.pendingSignUps, () => lte(s.pendingSignUps.expiresAt, ctx.now())],
    [s.signUpLinks, expired(s.signUpLinks.expiresAt)],
    [s.signInLinks, expired(s.signInLinks.expiresAt)],
    [s.verification, expired(s.verification.expiresAt)],
    [s.session, expired(s.session.expiresAt)],
    [s.contactRequests, expired(s.contactRequests.requestedAt)],
    // No search reads these any more.
    [s.findable, (before) => lte(s.findable.endedAt, before)],
    [s.contactChallenges, expired(s.contactChallenges.askedAt)],
    [s.chatLinkCodes, expired(s.chatLinkCodes.expiresAt)],
    // Transports may redeliver a message for this long.
    [s.chatUpdates, expired(s.chatUpdates.receivedAt)],
    [s.chatUndelivered, expired(s.chatUndelivered.at)],
    [s.chats, (before) => and(isNull(s.chats.userId), lt(lastWrote, before.toISOString()))],
    [s.payers, expired(s.payers.at)],
    [s.numberTakings, expired(s.numberTakings.takenAt)],
    [s.dataRequests, expired(s.dataRequests.closedAt)],
    [s.cleanupRuns, expired(s.cleanupRuns.startedAt)],
  ];
  let gone = await forgetShopSlugs(ctx);
  // A change says itself how long its old address is held.
  if (keptSince(ctx, s.emailChanges)) gone += await forgetChanges(ctx);
  for (const [table, isOld] of old) {
    const before = keptSince(ctx, table);
    if (before) gone += (await ctx.db.delete(table).where(isOld(before))).count;
  }
  const checks = new Date(ctx.now().getTime() - keptMs('healthChecks'));
  gone += (await ctx.db.delete(s.healthChecks).where(lt(s.healthChecks.checkedAt, checks))).count;
  const visits = keptSince(ctx, s.engagementEvents);
  const mails = keptSince(ctx, s.outbox);
  return (
    gone +
    (visits ? await forgetEvents(ctx, visits) : 0) +
    (mails ? await forgetMails(ctx, mails) : 0)
  );
}

const keptSince = (ctx: Ctx, table: PgTable) => deletesUntil(ctx, job, getTableName(table));

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
