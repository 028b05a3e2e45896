import { sql as drizzleSql, type ExtractTablesWithRelations } from 'drizzle-orm';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import { drizzle, type PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres, { type Options, type Sql, type TransactionSql } from 'postgres';
import { migrationsFolder, steps } from './migrated.ts';
import * as schema from './schema/index.ts';

/** A connection pool or an open transaction: queries do not care which. */
export type Db = PgDatabase<
  PostgresJsQueryResultHKT,
  typeof schema,
  ExtractTablesWithRelations<typeof schema>
>;

/** Where the server is: an address, or the options of postgres.js for the embedded one's socket. */
export type Target = string | Options<Record<string, never>>;

export type Database = {
  db: Db;
  /**
   * Raw postgres.js, apart from drizzle's client because drizzle changes its client's parsers: for LISTEN, and for locks that outlast a transaction.
   * Its connections are to Postgres itself, also where drizzle's lead through a pooler.
   */
  sql: Sql;
  close(): Promise<void>;
};

/** postgres.js under a pool of drizzle's, for what drizzle cannot say: COPY. */
export const clientOf = (db: Db): Sql => (db as Db & { $client: Sql }).$client;

/** What a pool may take. Without limits a statement runs as long as Postgres lets it. */
export type Limits = {
  /** The number of connections for drizzle's pool; the raw one takes a quarter of it. */
  max?: number;
  /** Seconds that making a connection may take. */
  connectSeconds?: number;
  /** Seconds after which Postgres cancels a statement (57014), waiting for locks included. */
  statementSeconds?: number;
  /** Seconds after which Postgres ends a connection whose transaction waits for its own process. */
  idleTransactionSeconds?: number;
  /** Transactions begin as read only. */
  readOnly?: boolean;
};

/**
 * Limits of jobs and commands. They work through whole tables, and hold a transaction open as the
 * lock of their run: longer limits, and connections that requests cannot use up. A process that
 * stands still in the middle gives back its locks after a minute: without the lanes nobody can list.
 */
export const forJobs = {
  max: 16,
  statementSeconds: 300,
  idleTransactionSeconds: 60,
} satisfies Limits;

/** What of {@link Limits} holds where the target is a pooler that lends connections by the transaction, and `direct` the way around it (decision 053). */
type Way = Limits & { direct?: Target | undefined };

/** Opens the pools. */
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
      // `end()` without a limit can hang for ever when a server went away in between.
      await Promise.all([client.end({ timeout: 5 }), raw.end({ timeout: 5 })]);
    },
  };
}

/** Longer than any statement may take: only a server that is gone without a word is silent for so long. */
const silence = 8;

/** Opens one connection of plain postgres.js, on which a person may begin and end transactions by hand. */
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
    // Left to itself it waits up to twenty seconds before it tries again, and whoever asks then waits with it.
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
  // What the target itself says to Postgres goes first, in an address as in options.
  if (typeof target === 'string') return postgres(target, options);
  return postgres({
    ...target,
    ...options,
    connection: { ...options.connection, ...target.connection },
  });
}

/**
 * Through a pooler each transaction may have another connection: a statement that was prepared on one is unknown on the next, and a limit that is set on
 * one is the next user's. The limits are then the pooler's to set on its connections; what waits here is given up as before.
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

/** A database whose beginnings are not among this version's migrations. */
export class ForeignDatabase extends Error {
  override name = 'ForeignDatabase';
  constructor(database: string) {
    super(
      `The database ${database} was made by a version of the market before its first release, or after this one, and cannot be used. ` +
        'Start with an empty one (another DATA_DIR or DATABASE_URL), or with the version that made it.',
    );
  }
}

async function refuseForeign(client: Sql, name: string): Promise<void> {
  const [made] = await client<
    { known: boolean }[]
  >`select to_regclass('drizzle.__drizzle_migrations') is not null as known`;
  if (!made?.known) return;
  const ours = new Set(steps().map(({ hash }) => hash));
  const applied = await client<{ hash: string }[]>`select hash from drizzle.__drizzle_migrations`;
  if (applied.some(({ hash }) => !ours.has(hash))) throw new ForeignDatabase(name);
}

/**
 * Brings the database to the newest schema. Two processes may do it at once: the second waits and finds nothing to do. Throws
 * {@link ForeignDatabase} where other migrations were applied than ours.
 * @param name what the person calls the database, for the sentence
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
 * postgres.js as it is published mishandles a transaction whose backend dies: `begin()` rejects, but the callback goes on. Its next queries
 * may run on another connection, outside any transaction, and commit; and the closing `commit` or `rollback` is written to a socket that
 * is gone, which throws outside of every promise and ends the process. Our patch of it mends that; this is the second wall: every query of a
 * transaction that has already failed is refused, and postgres.js never learns that its callback ended (decision 003;
 * tests/verbs/transactions.test.ts kills the backend in the middle).
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
          const guarded = (inner: TransactionSql) =>
            fate.unlessOver(() => callback(guardQueries(inner, fate)));
          const inner = (value as (...a: unknown[]) => Promise<unknown>).apply(target, [
            ...args,
            guarded,
          ]);
          // The outer callback must hear of the loss; from postgres.js it never would.
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
