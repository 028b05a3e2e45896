import { sql as drizzleSql, type ExtractTablesWithRelations } from 'drizzle-orm';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import { drizzle, type PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres, { type Options, type Sql, type TransactionSql } from 'postgres';
import * as schema from './schema/index.ts';

/** A connection pool or an open transaction: queries do not care which. */
export type Db = PgDatabase<PostgresJsQueryResultHKT, typeof schema, ExtractTablesWithRelations<typeof schema>>;

/** Where the server is: an address, or the options of postgres.js for the embedded one's socket. */
export type Target = string | Options<Record<string, never>>;

export type Database = {
  db: Db;
  /** Raw postgres.js, apart from drizzle's client because drizzle changes its client's parsers: for LISTEN and hand-written reads. */
  sql: Sql;
  close(): Promise<void>;
};

const folder = new URL('./migrations', import.meta.url).pathname;

/** Opens the pools. `max` is the number of connections for drizzle's pool; the raw one takes a quarter of it. */
export function connect(target: Target, { max = 20 }: { max?: number } = {}): Database {
  const client = guardTransactions(open(target, { max }));
  const raw = guardTransactions(open(target, { max: Math.max(2, Math.ceil(max / 4)) }));
  return {
    db: drizzle(client, { schema }) as Db,
    sql: raw,
    async close() {
      // `end()` without a limit can hang for ever when a server went away in between.
      await Promise.all([client.end({ timeout: 5 }), raw.end({ timeout: 5 })]);
    },
  };
}

function open(target: Target, extra: { max: number }): Sql {
  const options = { onnotice: () => {}, connection: { TimeZone: 'UTC' }, ...extra } as Options<Record<string, never>>;
  return typeof target === 'string' ? postgres(target, options) : postgres({ ...target, ...options });
}

/** Brings the database to the newest schema. Two processes may do it at once: the second waits and finds nothing to do. */
export async function migrateDatabase(target: Target): Promise<void> {
  const client = open(target, { max: 1 });
  try {
    await client`select pg_advisory_lock(hashtext('marche54:migrate'))`;
    await migrate(drizzle(client), { migrationsFolder: folder });
  } finally {
    await client.end({ timeout: 5 });
  }
}

/**
 * Runs a statement whose text never changes as a prepared one: Postgres reads and plans it once a connection. Drizzle does so with none of
 * its own. Inside a transaction it runs there, unprepared. Values come as the driver of drizzle hands them over: times as text.
 */
export async function prepared<Row>(db: Db, text: string, values: (string | number | null)[]): Promise<Row[]> {
  const client = '$client' in db ? (db.$client as Sql) : undefined;
  if (client) return (await client.unsafe(text, values, { prepare: true })) as unknown as Row[];
  const [first = '', ...rest] = text.split(/\$\d+/);
  const bound = rest.flatMap((part, index) => [drizzleSql`${values[index]}`, drizzleSql.raw(part)]);
  return (await db.execute(drizzleSql.join([drizzleSql.raw(first), ...bound]))) as unknown as Row[];
}

export class TransactionLost extends Error {
  override name = 'TransactionLost';
  constructor(cause?: unknown) {
    super('The connection of this transaction is gone; nothing of it was kept.', { cause });
  }
}

/**
 * postgres.js mishandles a transaction whose backend dies: `begin()` rejects, but the callback goes on. Its next queries may run
 * on another connection, outside any transaction, and commit; and the closing `commit` or `rollback` is written to a socket that
 * is gone, which throws outside of every promise and ends the process. Here every query of a transaction that has already failed
 * is refused, and postgres.js never learns that its callback ended (docs/decisions/transactions.md; tests/verbs/transactions.test.ts
 * kills the backend in the middle).
 */
export function guardTransactions(client: Sql): Sql {
  return new Proxy(client, {
    get(target, property, receiver) {
      if (property !== 'begin') return Reflect.get(target, property, receiver);
      return (...args: unknown[]) => {
        const callback = args.pop() as Callback;
        const fate = new Fate();
        const begun = (target.begin as (...a: unknown[]) => Promise<unknown>)(...args, (tx: TransactionSql) =>
          fate.unlessOver(() => callback(guardQueries(tx, fate))),
        );
        begun.then(
          () => fate.end(),
          (error) => fate.end(error),
        );
        return begun;
      };
    },
  });
}

type Callback = (tx: TransactionSql) => unknown;

/** Whether a transaction is over, and how it was lost. */
class Fate {
  #over = false;
  #error: unknown;
  readonly lost: Promise<never>;
  #lose: (error: unknown) => void = () => {};

  constructor() {
    this.lost = new Promise((_, reject) => (this.#lose = reject));
    this.lost.catch(() => {});
  }

  end(error?: unknown): void {
    this.#over = true;
    this.#error = error;
    if (error !== undefined) this.#lose(new TransactionLost(error));
  }

  refuseIfOver(): void {
    if (this.#over) throw new TransactionLost(this.#error);
  }

  /** Passes on how a callback ended, a turn of the event loop later: by then `begin()` knows of a closed connection, and nothing is passed on any more. */
  unlessOver(callback: () => unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const pass = (end: () => void) => setImmediate(() => this.#over || end());
      (async () => callback())().then(
        (value) => pass(() => resolve(value)),
        (error) => pass(() => reject(error)),
      );
    });
  }
}

function guardQueries<T extends object>(tx: T, fate: Fate): T {
  return new Proxy(tx, {
    apply(target, self, args) {
      fate.refuseIfOver();
      return Reflect.apply(target as never, self, args);
    },
    get(target, property, receiver) {
      const value = Reflect.get(target, property, receiver);
      if (property === 'unsafe' || property === 'file' || property === 'notify') {
        return (...args: unknown[]) => {
          fate.refuseIfOver();
          return (value as (...a: unknown[]) => unknown).apply(target, args);
        };
      }
      if (property === 'savepoint') {
        return async (...args: unknown[]) => {
          fate.refuseIfOver();
          const callback = args.pop() as Callback;
          const guarded = (inner: TransactionSql) => fate.unlessOver(() => callback(guardQueries(inner, fate)));
          const inner = (value as (...a: unknown[]) => Promise<unknown>).apply(target, [...args, guarded]);
          // The outer callback must hear of the loss; from postgres.js it never would.
          return Promise.race([inner, fate.lost]);
        };
      }
      return value;
    },
  });
}

/** Whether Postgres broke a deadlock or a serialization conflict by ending this transaction: it may simply be run again. */
export function isTransient(error: unknown): boolean {
  const code = postgresCode(error);
  return code === '40P01' || code === '40001';
}

/** The SQLSTATE of a database error, through drizzle's wrapping. */
export function postgresCode(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause) if (e.name === 'PostgresError' && 'code' in e) return String(e.code);
  return undefined;
}

/** The constraint that a database error names, through drizzle's wrapping. */
export function violatedConstraint(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause) if (e.name === 'PostgresError' && 'constraint_name' in e) return String(e.constraint_name);
  return undefined;
}

export { drizzleSql as sql, schema };
