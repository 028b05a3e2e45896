import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sql, TransactionSql } from 'postgres';
import type { Services } from './core/context.ts';

class NotOfThisMarket extends Error {
  override name = 'NotOfThisMarket';
}

/** Marker file: processes that read the same value share a storage, whatever its address. */
const markKey = 'products/market.txt';
/** The storage is unreachable. */
const unknown = '-';
/** Matches no process, as each running one has marked its storage. */
const unmarked = '000000000000';
const named = /^marche54 ([0-9a-f]{12}) ([0-9a-f]{12}|-)$/;

/**
 * Names the process by its secret's hash and its storage's mark, as `application_name` of its
 * listening connection, which ends with the process.
 *
 * Throws {@link NotOfThisMarket} before it marks a storage: a refused start must not create the
 * folder that the operator is about to mount.
 */
export async function nameProcess(sql: Sql, { secret, storage, log }: Services): Promise<string> {
  const digest = createHmac('sha256', secret).update('processes').digest('hex').slice(0, 12);
  const nameOf = (mark: string) => `marche54 ${digest} ${mark}`;
  const mark = await sql.begin(async (tx) => {
    // Two processes on an empty storage would each write a mark.
    await tx`select pg_advisory_xact_lock(hashtextextended('marche54:storage', 54))`;
    try {
      let found = await storage.get(markKey);
      if (!found) {
        await refuseStrangers(tx, nameOf(unmarked));
        found = await laid(storage);
      }
      const text = new TextDecoder().decode(found).trim();
      return /^[0-9a-f]{12}$/.test(text) ? text : unknown;
    } catch (error) {
      if (error instanceof NotOfThisMarket) throw error;
      log.warn(
        'The storage could not be reached: whether the other processes have the same is not known',
        { error },
      );
      return unknown;
    }
  });
  Object.assign(sql.options.connection, { application_name: nameOf(mark) });
  return nameOf(mark);
}

async function laid(storage: Services['storage']): Promise<Uint8Array<ArrayBuffer>> {
  const mark = new TextEncoder().encode(randomBytes(6).toString('hex'));
  await storage.put(markKey, mark, 'text/plain');
  return mark;
}

/** Throws {@link NotOfThisMarket} while a process with another secret or storage runs here. */
export async function refuseStrangers(sql: Sql | TransactionSql, name: string): Promise<void> {
  const [, secret, mark] = named.exec(name) ?? [];
  const rows = await sql<
    { name: string }[]
  >`select distinct application_name as name from pg_stat_activity where datname = current_database()`;
  for (const row of rows) {
    const [other, otherSecret, otherMark] = named.exec(row.name) ?? [];
    if (!other) continue;
    if (otherSecret !== secret)
      throw new NotOfThisMarket(
        'Another process runs on this database with another AUTH_SECRET: neither would know the other’s sessions. Give all of them the same, or none: it is kept in the database then.',
      );
    if (mark !== unknown && otherMark !== unknown && otherMark !== mark)
      throw new NotOfThisMarket(
        'Another process runs on this database and keeps its photos elsewhere: what is sent to one would be missing at the other. ' +
          'Give all of them the same bucket (S3_BUCKET and what goes with it), or the same folder as DATA_DIR/uploads; or end the other process first.',
      );
  }
}

/** Waits without limit while another process runs the same. */
export async function alone<T>(sql: Sql, what: string, work: () => Promise<T>): Promise<T> {
  const line = await sql.reserve();
  try {
    const tried = () =>
      line<
        { taken: boolean }[]
      >`select pg_try_advisory_lock(hashtextextended(${what}, 54)) as taken`;
    while (!(await tried())[0]?.taken) await pause(100);
    try {
      return await work();
    } finally {
      await line`select pg_advisory_unlock(hashtextextended(${what}, 54))`;
    }
  } finally {
    line.release();
  }
}
