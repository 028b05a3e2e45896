import { and, gte, inArray, isNotNull, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Tx } from '../core/context.ts';
import { countedKinds } from './notifications.ts';

/** Messages a day and person that are about others' listings, or that a person asked for. */
export const mostADay = 3;
/** Kind of the chat's message each morning, which counts too. */
export const morningKind = 'morningMessage';

/**
 * Those of some accounts that may get another counted message today (Africa/Douala). Whoever wrote
 * STOP in a chat gets none. Locks the accounts, so that two messages at once count each other.
 */
export async function withRoomToday(
  { db, now }: Tx,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set();
  const { chats, outbox, user } = schema;
  await db
    .select({ id: user.id })
    .from(user)
    .where(inArray(user.id, [...userIds]))
    .orderBy(user.id)
    .for('no key update');
  const today = sql<Date>`date_trunc('day', ${now().toISOString()}::timestamptz, 'Africa/Douala')`;
  const told = await db
    .select({ userId: outbox.userId, count: sql<number>`count(*)::int` })
    .from(outbox)
    .where(
      and(
        inArray(outbox.userId, [...userIds]),
        inArray(outbox.kind, [...countedKinds, morningKind]),
        gte(outbox.createdAt, today),
      ),
    )
    .groupBy(outbox.userId);
  const stopped = await db
    .select({ userId: chats.userId })
    .from(chats)
    .where(and(inArray(chats.userId, [...userIds]), isNotNull(chats.stoppedAt)));
  const without = new Set([
    ...told.filter(({ count }) => count >= mostADay).map(({ userId }) => userId),
    ...stopped.map(({ userId }) => userId),
  ]);
  return new Set(userIds.filter((id) => !without.has(id)));
}
