import { sql as drizzleSql, type ExtractTablesWithRelations } from 'drizzle-orm';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import { drizzle, type PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres, { type Options, type Sql, type TransactionSql } from 'postgres';
import { wayFrom } from './forward.ts';
import { migrationsFolder } from './migrated.ts';
import * as schema from './schema/index.ts';

export type Db = PgDatabase<
  PostgresJsQueryResultHKT,
  typeof schema,
  ExtractTablesWithRelations<typeof schema>
>;

/** Server address, or postgres.js options for a socket. */
export type Target = string | Options<Record<string, never>>;

export type Database = {
  db: Db;
  /**
   * For LISTEN and locks that outlast a transaction. Apart from drizzle's client, whose parsers
   * drizzle changes; never through a pooler.
   */
  sql: Sql;
  close(): Promise<void>;
};

/** The postgres.js client of a drizzle pool, for COPY. */
export const clientOf = (db: Db): Sql => (db as Db & { $client: Sql }).$client;

/** Undefined means no limit. */
export type Limits = {
  /** For drizzle's pool; the raw pool gets a quarter. */
  max?: number;
  connectSeconds?: number;
  /** Until Postgres cancels a statement (57014), lock waits included. */
  statementSeconds?: number;
  /** Until Postgres closes a connection with an idle transaction. */
  idleTransactionSeconds?: number;
  readOnly?: boolean;
};

/**
 * Jobs and commands scan whole tables and hold a transaction as their run's lock: longer times, and
 * connections that requests cannot use up. A stalled process loses its locks after a minute, as
 * nobody can list without the lanes.
 */
export const forJobs = {
  max: 16,
  statementSeconds: 300,
  idleTransactionSeconds: 60,
} satisfies Limits;

/** Limits behind a transaction-mode pooler; `direct` bypasses it (decision 001). */
type Way = Limits & { direct?: Target | undefined };

export function connect(target: Target, { max = 20, direct, ...limits }: Way = {}): Database {
  const client = guardTransactions(
    direct === undefined
      ? open(target, { max, ...limits })
      : openPooled(target, { max, ...limits }),
  );
  const raw = guardTransactions(
    open(direct ?? target, { max: Math.max(2, Math.ceil(max / 4)), ...limits }),
  );
  return {
    db: drizzle(client, { schema }) as Db,
    sql: raw,
    async close() {
      // `end()` without a limit can hang forever after a server went away.
      await Promise.all([client.end({ timeout: 5 }), raw.end({ timeout: 5 })]);
    },
  };
}

/** Seconds beyond the statement limit, when only a vanished server is still silent. */
const silence = 8;

/** Opens one unguarded postgres.js connection, for manual BEGIN and COMMIT. */
export const openOne = (target: Target, limits: Limits, more: object): Sql =>
  open(target, { ...limits, max: 1 }, more);

function open(
  target: Target,
  { max, connectSeconds = 5, statementSeconds, idleTransactionSeconds, readOnly }: Limits,
  more: object = {},
): Sql {
  const options = {
    max,
    onnotice: () => {},
    connect_timeout: connectSeconds,
    keep_alive: 30,
    // By default postgres.js waits up to twenty seconds before it reconnects.
    backoff: (failures: number) => Math.min(0.01 * 2 ** failures, 0.25),
    ...(statementSeconds ? { silence_timeout: statementSeconds + silence } : {}),
    connection: {
      TimeZone: 'UTC',
      ...(statementSeconds ? { statement_timeout: Math.round(statementSeconds * 1000) } : {}),
      ...(idleTransactionSeconds
        ? { idle_in_transaction_session_timeout: Math.round(idleTransactionSeconds * 1000) }
        : {}),
      ...(readOnly ? { default_transaction_read_only: 'on' } : {}),
    },
    ...more,
  } as Options<Record<string, never>>;
  // The target's own settings take precedence.
  if (typeof target === 'string') return postgres(target, options);
  return postgres({
    ...target,
    ...options,
    connection: { ...options.connection, ...target.connection },
  });
}

/**
 * A transaction-mode pooler lends another connection for each transaction: prepared statements are
 * unknown there and session limits leak to the next client. Statement limits are the pooler's to
 * set; the silence timeout still applies here.
 */
function openPooled(target: Target, { idleTransactionSeconds: _, ...limits }: Limits): Sql {
  const { statementSeconds } = limits;
  return open(
    target,
    { ...limits, statementSeconds: undefined },
    {
      prepare: false,
      ...(statementSeconds ? { silence_timeout: statementSeconds + silence } : {}),
    },
  );
}

/** Thrown for a database with migrations that this version does not know. */
export class ForeignDatabase extends Error {
  override name = 'ForeignDatabase';
  constructor(database: string) {
    super(
      `The database ${database} was made by a newer version of the market, by one before 0.1.0, or by another program, and cannot be used. ` +
        'Start with an empty one (another DATA_DIR or DATABASE_URL), or with the version that made it.',
    );
  }
}

async function refuseForeign(client: Sql, name: string): Promise<void> {
  const [made] = await client<
    { known: boolean }[]
  >`select to_regclass('drizzle.__drizzle_migrations') is not null as known`;
  if (!made?.known) return;
  const applied = await client<
    { hash: string }[]
  >`select hash from drizzle.__drizzle_migrations order by created_at, id`;
  if (!wayFrom(applied.map(({ hash }) => hash))) throw new ForeignDatabase(name);
}

/**
 * Migrates to the newest schema; of two processes the second waits and finds it done. Refuses
 * unknown migrations with {@link ForeignDatabase}.
 * @param name the database's name in the error message
 */
export async function migrateDatabase(target: Target, name = 'given'): Promise<void> {
  const client = open(target, { max: 1 });
  try {
    await client`select pg_advisory_lock(hashtext('marche54:migrate'))`;
    await refuseForeign(client, name);
    await migrate(drizzle(client), { migrationsFolder });
  } finally {
    await client.end({ timeout: 5 });
  }
}

export class TransactionLost extends Error {
  override name = 'TransactionLost';
  constructor(cause?: unknown) {
    super('The connection of this transaction is gone; nothing of it was kept.', { cause });
  }
}

/**
 * Guards against postgres.js mishandling a transaction whose backend dies: `begin()` rejects but
 * the callback continues, its queries may commit on another connection, and the final `commit`
 * writes to a dead socket, which ends the process. Our patch fixes that; as a second guard, queries
 * of a failed transaction are refused and postgres.js never learns that the callback ended
 * (decision 002).
 */
export function guardTransactions(client: Sql): Sql {
  return new Proxy(client, {
    get(target, property, receiver) {
      if (property !== 'begin') return Reflect.get(target, property, receiver);
      return (...args: unknown[]) => {
        const callback = args.pop() as Callback;
        const fate = new Fate();
        const begun = (target.begin as (...a: unknown[]) => Promise<unknown>)(
          ...args,
          (tx: TransactionSql) => fate.unlessOver(() => callback(guardQueries(tx, fate))),
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

  /**
   * One event loop turn later `begin()` knows of a closed connection, and the result is dropped.
   */
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
          const guarded = (inner: TransactionSql) =>
            fate.unlessOver(() => callback(guardQueries(inner, fate)));
          const inner = (value as (...a: unknown[]) => Promise<unknown>).apply(target, [
            ...args,
            guarded,
          ]);
          // postgres.js never reports the loss to the outer callback.
          return Promise.race([inner, fate.lost]);
        };
      }
      return value;
    },
  });
}

export {
  damagedAdvice,
  isDamage,
  isTransient,
  outageOf,
  postgresCode,
  violatedConstraint,
} from './faults.ts';
export { drizzleSql as sql, schema };
