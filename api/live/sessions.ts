import { and, eq, gt, inArray, ne } from 'drizzle-orm';
import { type Db, schema } from '../../db/client.ts';
import type { Log } from '../ops/log.ts';
import { type Broadcast, heartbeatMs } from './broadcast.ts';
import type { Live } from './listener.ts';

/**
 * Ends admin streams whose session ended or whose user is in the team no more. Checks when Postgres
 * announces it, on each new stream, and with every heartbeat for expiry, which is not announced.
 */
export function endWithSession(
  { db, now, live, log }: { db: Db; now: () => Date; live: Live; log: Log },
  streams: Pick<Broadcast, 'owners' | 'end'>,
): { check(): Promise<void>; close(): void } {
  const { session, user } = schema;
  let looking: Promise<void> | undefined;
  let again = false;
  async function look(): Promise<void> {
    while (again) {
      again = false;
      const open = streams.owners();
      if (open.length === 0) return;
      const standing = await db
        .select({ id: session.id })
        .from(session)
        .innerJoin(user, eq(user.id, session.userId))
        .where(
          and(
            inArray(session.id, open),
            gt(session.expiresAt, now()),
            ne(user.role, 'member'),
            eq(user.emailVerified, true),
          ),
        );
      const ids = new Set(standing.map(({ id }) => id));
      for (const owner of open) if (!ids.has(owner)) streams.end(owner);
    }
  }
  /** Calls during a check cause one more check. */
  function check(): Promise<void> {
    again = true;
    looking ??= look()
      .catch((error) => log.error('Open streams could not be checked', { error }))
      .finally(() => {
        looking = undefined;
      });
    return looking;
  }
  const timer = setInterval(check, heartbeatMs);
  const stops = [
    live.subscribe((news) => {
      if (news.kind === 'access') void check();
    }),
    live.onResume(check),
  ];
  return {
    check,
    close() {
      clearInterval(timer);
      for (const stop of stops) stop();
    },
  };
}
