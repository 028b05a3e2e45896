import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { getTableName, getViewName } from 'drizzle-orm';
import type { Sql, TransactionSql } from 'postgres';
import { apply, type Way, wayFrom } from '../../db/forward.ts';
import { tables as ourTables, views as ourViews } from '../../db/migrated.ts';
import type { Disk } from '../ops/disk.ts';
import type { Storage } from '../ops/storage.ts';
import { BadBackup, type Manifest, partLimit } from './format.ts';
import { contentsOf, verifyBackup } from './read.ts';
import { tablesOf } from './tables.ts';

export type Restored = { manifest: Manifest; rows: number; photos: number };
/** Seconds for one statement, such as an index over a large table. */
export const restoreSeconds = 6 * 3600;

type Place = {
  client: Sql;
  storage: Storage;
  key?: string | undefined;
  identities?: readonly string[];
};

/**
 * Replaces database and photos with a verified backup (decision 052). One transaction builds the
 * backup's schema, loads the rows and migrates them, so a crash changes no row. Throws {@link
 * BadBackup} if the file or the database is unfit.
 *
 * @param replace allows overwriting an existing market
 */
export async function restoreBackup(
  { client, storage, key, identities = [] }: Place,
  file: string,
  { replace = false } = {},
): Promise<Restored> {
  const manifest = await verifyBackup(file, key, identities);
  const way = knownWay(manifest);
  const restored = client.begin(async (tx) => {
    await tx`select set_config('statement_timeout', ${`${restoreSeconds}s`}, true),
      set_config('idle_in_transaction_session_timeout', '10min', true)`;
    await tx`select pg_advisory_xact_lock(hashtext('marche54:migrate'))`;
    await expectFit(tx, replace);
    await clear(tx);
    await apply(tx, way.made);
    const done = await load(tx, storage, manifest, contentsOf(file, identities));
    await apply(tx, way.missing);
    return { manifest, ...done };
  }) as Promise<Restored>;
  return restored.catch((error) => {
    throw isFull(error) ? new BadBackup(noRoom, { cause: error }) : error;
  });
}

const noRoom =
  'There is no room on the disk: what was there before is unchanged. Make room for twice the size of the backup where the database and the photos are, and restore again.';

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;

/**
 * Warns when the data folder's disk has less than twice the backup's size. It is no refusal: photos
 * that are there already take no room, and the database may be on another machine.
 */
export function roomFor(backupBytes: number, disks: readonly Disk[]): string | undefined {
  const data = disks.find(({ folder }) => folder === 'data');
  if (!data || data.free >= 2 * backupBytes) return undefined;
  return `The disk of the data folder has ${megabytes(data.free)} free, and this backup may need ${megabytes(2 * backupBytes)}. If it does not fit, everything stays as it is.`;
}

/** Of the photos, or of Postgres, which may stop when it cannot write its log. */
function isFull(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    const code = 'code' in e ? String(e.code) : '';
    if (['uploads.storageFull', 'ENOSPC', 'EDQUOT', '53100'].includes(code)) return true;
  }
  return false;
}

function knownWay({ migrations }: Manifest): Way {
  const way = wayFrom(migrations);
  if (!way)
    throw new BadBackup(
      'This backup was made by a newer version of the market, by one before 0.1.0, or by another program. Restore it with the version that made it.',
    );
  return way;
}

/**
 * Refuses a database in use, whose market would write meanwhile, and tables that are not ours to
 * drop.
 */
async function expectFit(tx: TransactionSql, replace: boolean): Promise<void> {
  const others = await othersIn(tx);
  if (others > 0)
    throw new BadBackup(
      `The database is in use by ${others} connections. Stop the market, and whoever else is connected, first.`,
    );
  const tables = (
    await tx<
      { name: string }[]
    >`select relname as name from pg_class where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'p', 'v', 'm')`
  ).map(({ name }) => name);
  const ours = new Set([
    ...ourTables.map((table) => getTableName(table)),
    ...ourViews.map((view) => getViewName(view)),
  ]);
  const [made] = await tx<
    { ours: boolean }[]
  >`select to_regclass('drizzle.__drizzle_migrations') is not null as ours`;
  const strange = tables.filter((name) => !ours.has(name));
  if (tables.length > 0 && (!made?.ours || strange.length > 0))
    throw new BadBackup(
      `The database holds tables that are not of this market${strange.length > 0 ? ` (${strange.slice(0, 5).join(', ')})` : ''}: give it one of its own.`,
    );
  if (replace || !tables.includes('user')) return;
  const [used] = await tx<{ used: boolean }[]>`select exists (select from "user") as used`;
  if (used?.used)
    throw new BadBackup(
      'There is a market in this database already. With --replace the backup takes its place.',
    );
}

/** Retries, because a connection just closed is still listed for a moment. */
async function othersIn(tx: TransactionSql): Promise<number> {
  for (let look = 1; ; look++) {
    await tx`select pg_stat_clear_snapshot()`;
    const [row] = await tx<{ count: number }[]>`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
    if (!row?.count || look === 10) return row?.count ?? 0;
    await pause(100);
  }
}

/** Drops our migrations' objects; extensions and their functions stay. */
async function clear(tx: TransactionSql): Promise<void> {
  const drops = await tx<{ text: string }[]>`
    select format('drop table %s cascade', oid::regclass) as text from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r'
    union all select format('drop function if exists %s cascade', oid::regprocedure) from pg_proc p
      where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`;
  for (const { text } of drops) await tx.unsafe(text);
  await tx`drop schema if exists drizzle cascade`;
}

/**
 * Loads rows with row triggers off and recreates foreign keys afterwards, which validates every
 * row. A table owner may do this; a replica role needs a superuser.
 */
async function load(
  tx: TransactionSql,
  storage: Storage,
  manifest: Manifest,
  contents: ReturnType<typeof contentsOf>,
): Promise<{ rows: number; photos: number }> {
  const there = new Map((await tablesOf(tx)).map(({ name, columns }) => [name, columns]));
  const columnsOf = new Map(manifest.tables.map(({ name, columns }) => [name, columns]));
  const fits = [...there].every(
    ([name, columns]) => columns.toSorted().join() === columnsOf.get(name)?.toSorted().join(),
  );
  if (!fits || there.size !== columnsOf.size)
    throw new BadBackup('The tables of this backup are not those of its version.');
  const keys = await tx<{ drop: string; add: string }[]>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`;
  for (const { drop } of keys) await tx.unsafe(drop);
  for (const name of there.keys())
    await tx.unsafe(`alter table "${name}" disable trigger user; delete from "${name}"`);
  let photos = 0;
  for await (const part of contents) {
    if ('file' in part) {
      await storage.put(
        part.file,
        part.bytes,
        part.file.endsWith('.avif') ? 'image/avif' : 'image/webp',
      );
      photos++;
    } else
      await copyIn(
        tx,
        part.table,
        columnsOf.get(part.table),
        await promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)(part.bytes, {
          maxOutputLength: partLimit,
        }),
      );
  }
  for (const { name, value } of manifest.sequences)
    if (value > 0) await tx`select setval(${`public.${name}`}::regclass, ${value})`;
  for (const { name, rows } of manifest.tables) {
    const [row] = await tx.unsafe<{ count: string }[]>(`select count(*) from "${name}"`);
    if (Number(row?.count) !== rows)
      throw new BadBackup(
        `The table ${name} of this backup should have ${rows} rows, and has ${row?.count}.`,
      );
  }
  for (const name of there.keys()) await tx.unsafe(`alter table "${name}" enable trigger user`);
  for (const { add } of keys) await tx.unsafe(add);
  return { rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0), photos };
}

async function copyIn(
  tx: TransactionSql,
  table: string,
  columns: readonly string[] | undefined,
  text: Buffer,
): Promise<void> {
  if (!columns) throw new BadBackup(`The table ${table} is not in the manifest of this backup.`);
  const sink = await tx
    .unsafe(`copy "${table}" (${columns.map((column) => `"${column}"`).join(', ')}) from stdin`)
    .writable();
  await new Promise<void>((resolve, reject) => {
    sink.on('error', reject).on('finish', resolve);
    sink.end(text);
  });
}
