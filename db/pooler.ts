import { randomUUID } from 'node:crypto';
import postgres, { type Sql } from 'postgres';

class UnusablePooler extends Error {
  override name = 'UnusablePooler';
}

const heardMs = 5000;

/** Works with any pooler: no prepared statements, no queries at its start. */
const plain = (address: string): Sql =>
  postgres(address, {
    max: 1,
    prepare: false,
    fetch_types: false,
    onnotice: () => {},
    connect_timeout: 5,
  });

/**
 * Throws {@link UnusablePooler} for a transaction-mode pooler, where notifications are lost and
 * locks end up with other clients (decision 001). Detects it by two connections sharing a backend.
 */
export async function refuseSharedConnections(address: string): Promise<void> {
  const both = [plain(address), plain(address)];
  try {
    const seen: Set<number>[] = [new Set(), new Set()];
    for (let round = 0; round < 2; round++)
      for (const [n, sql] of both.entries())
        for (const { pid } of await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)
          seen[n]?.add(pid);
    if (new Set(seen.flatMap((pids) => [...pids])).size === 2) return;
    throw new UnusablePooler(
      'DATABASE_URL leads to a pooler that lends its connections by the transaction (PgBouncer in transaction mode, perhaps). ' +
        'Set DATABASE_DIRECT_URL as well, to the address of Postgres itself: changes are heard and migrations are made there.',
    );
  } finally {
    await Promise.all(both.map((sql) => sql.end({ timeout: 2 })));
  }
}

/**
 * Throws {@link UnusablePooler} unless a notification sent at the pooled address arrives at the
 * direct one. `limited` is true if the pooler sets a statement timeout, which a process behind it
 * cannot do (decision 001).
 */
export async function requireWayAround(
  pooled: string,
  direct: string,
): Promise<{ limited: boolean }> {
  await refuseSharedConnections(direct);
  const [through, around] = [plain(pooled), plain(direct)];
  try {
    const channel = `marche54_${randomUUID().replaceAll('-', '')}`;
    const heard = Promise.withResolvers<boolean>();
    const patience = setTimeout(() => heard.resolve(false), heardMs);
    await around.listen(channel, () => heard.resolve(true));
    await through`select pg_notify(${channel}, '')`;
    if (!(await heard.promise))
      throw new UnusablePooler(
        'What is announced at DATABASE_URL is not heard at DATABASE_DIRECT_URL: both must lead to the same database.',
      );
    clearTimeout(patience);
    const [row] = await through<
      { limit: string }[]
    >`select current_setting('statement_timeout') as limit`;
    return { limited: row?.limit !== '0' };
  } finally {
    await Promise.all([through, around].map((sql) => sql.end({ timeout: 2 })));
  }
}
