import { randomBytes } from 'node:crypto';
import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import postgres from 'postgres';
import { afterAll, inject } from 'vitest';
import { connect, type Database, isTransient, schema, type Target } from '../../db/client.ts';
import { inDatabase } from './global.ts';

export type TestDatabase = Database & {
  target: Target;
  /** Opens another pool on the database, as another process would; closed with the test file. */
  another(options?: { max?: number }): Database;
  /** Closes the pools that {@link another} opened. */
  closeOthers(): Promise<void>;
  drop(): Promise<void>;
};

/** Clones the migrated template, or creates an empty database. The caller must call `drop`. */
async function createDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const { target: server, prefix, template } = inject('server');
  const name = `${prefix}_${randomBytes(5).toString('hex')}`;
  await onServer(server, async (sql) => {
    // Postgres refuses to clone a template that another clone is using.
    await sql`select pg_advisory_lock(hashtext('marche54:clone'))`;
    await sql.unsafe(`create database "${name}" template "${empty ? 'template0' : template}"`);
  });
  const target = inDatabase(server, name);
  const pools: Database[] = [];
  const another = ({ max = 5 } = {}) => {
    const pool = connect(target, { max });
    pools.push(pool);
    return pool;
  };
  const { db, sql } = another({ max: 10 });
  const close = async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.close()));
  };
  const closeOthers = async () => {
    await Promise.all(pools.splice(1).map((pool) => pool.close()));
  };
  return {
    db,
    sql,
    target,
    another,
    close,
    closeOthers,
    async drop() {
      await close();
      await onServer(server, (admin) =>
        admin.unsafe(`drop database if exists "${name}" with (force)`),
      );
    },
  };
}

/** Creates a database for a test file. Call it at the top of the file. */
export async function freshDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const database = await createDatabase(options);
  afterAll(() => database.drop());
  return database;
}

/** Databases of earlier files of this worker. */
const left: TestDatabase[] = [];
type State = { made: string; bytes: number };
let given: Promise<State> | undefined;

/**
 * Creates a database for a test file, or empties one of an earlier file: a clone makes a thousand
 * files, and every new connection reads the catalogue and plans its statements again.
 */
export async function marketDatabase(): Promise<TestDatabase> {
  // Emptied now, not at the end of its file: what stops last may still write to it.
  let database = left.pop();
  if (database && !(await emptied(database).catch(() => false))) {
    await database.drop();
    database = undefined;
  }
  const own = database ?? (await createDatabase());
  given ??= stateOf(own);
  await given;
  afterAll(async () => {
    await own.closeOthers();
    left.push(own);
  });
  return own;
}

/**
 * Empties a database. False where a test changed its schema, left it too large to be quick, or still
 * holds a lock.
 */
async function emptied(database: TestDatabase): Promise<boolean> {
  await resetMarket(database, { accounts: true });
  // Rows then lie in the order in which they are written, as in a new database.
  const used = await database.sql<{ name: string }[]>`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`;
  await database.sql.unsafe(`vacuum ${used.map(({ name }) => `"${name}"`).join(', ')}`);
  await database.sql`select setval(seqrelid, seqstart, false) from pg_sequence
    join pg_class on oid = seqrelid where relnamespace = 'public'::regnamespace`;
  const [now, first] = [await stateOf(database), await given];
  return now.made === first?.made && now.bytes < first.bytes + 8_000_000;
}

/** A hash of definitions, slots and held locks, and the size of the database. */
async function stateOf({ sql }: Database): Promise<State> {
  const [row] = await sql<{ made: string; bytes: string }[]>`
    with own as (select * from pg_class where relnamespace = 'public'::regnamespace),
    made(line) as (
      select format('%s %s %s', relname, relkind, reloptions) from own
      union all
      select format('%s %s %s %s', relname, attname, atttypid, attnotnull)
        from pg_attribute join own on own.oid = attrelid
      union all
      select format('%s %s', relname, pg_get_expr(adbin, adrelid))
        from pg_attrdef join own on own.oid = adrelid
      union all
      select format('%s %s %s', relname, tgname, tgenabled) from pg_trigger join own on own.oid = tgrelid
      union all
      select format('%s %s %s', relname, conname, convalidated)
        from pg_constraint join own on own.oid = conrelid
      union all
      select format('%s %s', relname, md5(ev_action)) from pg_rewrite join own on own.oid = ev_class
      union all
      select format('%s %s', oid::regprocedure, md5(prosrc)) from pg_proc
        where pronamespace = 'public'::regnamespace
      union all
      select (to_jsonb(slots) - 'updated_at')::text from slots
      union all
      select format('lock %s %s', classid, objid) from pg_locks join pg_database on oid = database
        where datname = current_database() and locktype = 'advisory')
    select md5(string_agg(line, '|' order by line)) as made,
      pg_database_size(current_database()) as bytes from made`;
  if (!row) throw new Error('The database has no schema');
  return { made: row.made, bytes: Number(row.bytes) };
}

async function onServer<T>(target: Target, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const options = { max: 1, onnotice: () => {} };
  const sql =
    typeof target === 'string' ? postgres(target, options) : postgres({ ...target, ...options });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 2 });
  }
}

/** People stay when only the market is emptied: signing up again is the most expensive step. */
const accountTables = new Set(['user', 'session', 'account', 'sellers']);
const slotTables = new Set(['slots', 'slot_engagement']);
const tables = Object.values(schema)
  .filter((entry): entry is PgTable & typeof entry => is(entry, PgTable))
  .map((table) => getTableName(table));

/**
 * Empties everything but the slots; people go too with `accounts`. Several times faster than a
 * clone.
 */
export async function resetMarket(
  { sql }: Pick<Database, 'sql'>,
  { accounts = false } = {},
): Promise<void> {
  const emptied = tables.filter(
    (table) => !slotTables.has(table) && (accounts || !accountTables.has(table)),
  );
  await sturdy(() =>
    sql.begin(async (tx) => {
      // The replica role skips the append-only and place triggers.
      await tx.unsafe(
        [
          'set local session_replication_role = replica',
          `update slots set active = false, is_featured = id <= 10,
            product_id = null, start_time = null, end_time = null,
           paused_at = null, paused_by = null, remaining_duration = null, reputation_score = 0
             where active or product_id is not null`,
          'update slot_engagement set views = 0, clicks = 0, message_taps = 0, shares = 0',
          ...emptied.map((table) => `delete from "${table}"`),
        ].join(';\n'),
      );
    }),
  );
}

/**
 * Retries a test's write after a deadlock: an open page still counts views while the next test
 * empties the market.
 */
export async function sturdy<T>(write: () => PromiseLike<T>, attempts = 5): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (attempt >= attempts || !isTransient(error)) throw error;
    }
  }
}
