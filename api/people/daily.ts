import { and, desc, eq, gte, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { outboxChannels } from '../../db/vocabularies.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { countedKinds } from './notifications.ts';

/** Messages a day and person that are about others' listings, or that a person asked for. */
export const mostADay = 3;
/** Kind of the chat's message each morning, which counts too. */
export const morningKind = 'morningMessage';

/**
 * Conditions on a failed outbox message `o` and its account `u`: the person has an open chat, a
 * subscribed browser, or any channel beside the failed one.
 */
export function waysBeside({ now }: Pick<Tx, 'now'>) {
  const chat = sql`exists (select from chats c where c.user_id = o.user_id and c.notices
    and c.blocked_at is null and c.closed_at is null and c.stopped_at is null)`;
  const browser = sql`exists (select from push_subscriptions b join session on session.id = b.session_id
    where session.user_id = o.user_id and session.expires_at > ${now().toISOString()}::timestamptz)`;
  const other = sql`((o.channel <> 'email' and u.email_verified) or (o.channel <> 'push' and ${browser})
    or (o.channel in ('email', 'push') and ${chat}))`;
  return { chat, browser, other };
}

type Channel = (typeof outboxChannels)[number];
/** `failing`: channels that could not deliver the last counted message of the last week. */
export type Ways = { chosen: Channel | null; failing: ReadonlySet<Channel> };

const isCounted = inArray(schema.outbox.kind, [...countedKinds, morningKind]);
const todayAt = (now: Date) =>
  sql<Date>`date_trunc('day', ${now.toISOString()}::timestamptz, 'Africa/Douala')`;

/** True if a chat may get another counted message today, whosever it was before. */
export async function hasRoomInChat({ db, now }: Tx, keyHash: string): Promise<boolean> {
  const { outbox } = schema;
  const ofToday = and(eq(outbox.recipient, keyHash), isCounted);
  return (await db.$count(outbox, and(ofToday, gte(outbox.createdAt, todayAt(now()))))) < mostADay;
}

/** Accounts that wrote STOP in a chat. */
export async function stoppedAccounts(
  { db }: Pick<Ctx, 'db'>,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { chats: c } = schema;
  const rows = await db
    .select({ userId: c.userId })
    .from(c)
    .where(and(inArray(c.userId, [...userIds]), isNotNull(c.stoppedAt)));
  return new Set(rows.flatMap(({ userId }) => userId ?? []));
}

/**
 * Finds the accounts that may get another counted message today (Africa/Douala), and their
 * channels. Accounts that wrote STOP in a chat or asked for deletion get none. Locks the accounts,
 * so that concurrent messages count each other.
 */
export async function withRoomToday(
  { db, now }: Tx,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Ways>> {
  if (userIds.length === 0) return new Map();
  const { chats, outbox, user } = schema;
  const people = await db
    .select({ id: user.id, chosen: user.toldBy })
    .from(user)
    .where(and(inArray(user.id, [...userIds]), isNull(user.leavingAt)))
    .orderBy(user.id)
    .for('no key update');
  const counted = and(inArray(outbox.userId, [...userIds]), isCounted);
  const told = await db
    .select({ userId: user.id, count: sql<number>`count(*)::int` })
    .from(user)
    .innerJoin(
      outbox,
      // Of the account, or of one of its chats before that was linked.
      or(
        eq(outbox.userId, user.id),
        and(
          isNull(outbox.userId),
          inArray(
            outbox.recipient,
            db.select({ key: chats.keyHash }).from(chats).where(eq(chats.userId, user.id)),
          ),
        ),
      ),
    )
    .where(and(inArray(user.id, [...userIds]), isCounted, gte(outbox.createdAt, todayAt(now()))))
    .groupBy(user.id);
  const stopped = await stoppedAccounts({ db }, userIds);
  const week = new Date(now().getTime() - 7 * 86_400_000);
  const ends = await db
    .selectDistinctOn([outbox.userId, outbox.channel], {
      userId: outbox.userId,
      channel: outbox.channel,
      state: outbox.state,
    })
    .from(outbox)
    .where(
      and(
        counted,
        inArray(outbox.state, ['sent', 'failed']),
        gte(outbox.createdAt, week),
        // A later subscription is another browser.
        sql`not (${outbox.channel} = 'push' and exists (select from push_subscriptions b
          join session on session.id = b.session_id
          where session.user_id = ${outbox.userId} and b.made_at > ${outbox.createdAt}))`,
      ),
    )
    .orderBy(outbox.userId, outbox.channel, desc(outbox.createdAt), desc(outbox.turn));
  const without = new Set([
    ...told.filter(({ count }) => count >= mostADay).map(({ userId }) => userId),
    ...stopped,
  ]);
  return new Map(
    people
      .filter(({ id }) => !without.has(id))
      .map(({ id, chosen }) => {
        const failed = ends.filter(({ userId, state }) => userId === id && state === 'failed');
        return [id, { chosen, failing: new Set(failed.map(({ channel }) => channel)) }];
      }),
  );
}
