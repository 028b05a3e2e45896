import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { TransactionSql } from 'postgres';
import { clientOf, postgresCode } from '../../db/client.ts';
import { privateFolder } from '../../db/privacy.ts';
import type { StoredImage } from '../../db/schema/products.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import type { Env } from '../core/env.ts';
import { filesOf } from '../uploads/receive.ts';
import { type Archive, type OpenFile, openArchive } from './archive.ts';
import { filePart, type Manifest, markOf, pieceBytes, tablePart } from './format.ts';
import { inSnapshot, limitStatements } from './lock.ts';
import { isBackupName, sealedEnding } from './names.ts';
import { sealTo } from './sealing.ts';
import { copiedPhotos, type Table, tablesOf } from './tables.ts';

export type Written = {
  file: string;
  bytes: number;
  rows: number;
  photos: number;
  missing: string[];
};

/** How long one table, and the whole backup, may take, in milliseconds. */
export type BackupLimits = { tableMs: number; wholeMs: number };

/** The limits that the environment sets: a table may take a quarter of the whole. */
export const backupLimits = ({
  BACKUP_MINUTES: minutes,
}: Pick<Env, 'BACKUP_MINUTES'>): BackupLimits => ({
  tableMs: minutes * 15_000,
  wholeMs: minutes * 60_000,
});

/** A half-written backup whose file has not grown for so long has no writer any more. */
const deadMs = 10 * 60_000;
/** How long a backup that was given up may take to free its lock and remove its file: a database or a network disk may hang. */
const tidyMs = 3000;

/**
 * Writes one consistent backup of database and photos to a file, while the market runs (decision 052): the rows are those of one moment, and deletions of photos
 * wait for the next run. The file appears whole or not at all, and only its owner can read it; one that ends with `.age` is
 * encrypted to BACKUP_RECIPIENTS. Throws when the file is there, when another backup is being written, when a limit is
 * reached, when the disk refuses, and at once when the process is asked to end.
 */
export async function writeBackup(
  ctx: Ctx,
  file: string,
  limits = backupLimits(ctx.services.env),
  openFile?: OpenFile,
): Promise<Written> {
  requireAdmin(ctx);
  const recipients = file.endsWith(sealedEnding) ? ctx.services.env.BACKUP_RECIPIENTS : undefined;
  if (recipients?.length === 0)
    throw new Error(`${file} would be encrypted, and BACKUP_RECIPIENTS names no key.`);
  const beside = `${file}.part`;
  const stop = stopFor(ctx, limits);
  let archive: Archive | undefined;
  let copied: Promise<Omit<Written, 'file'>> | undefined;
  const work = async (tx: TransactionSql) => {
    await refuseExisting(file);
    await rm(beside, { force: true });
    await sweepParts(ctx, dirname(file));
    stop.signal.throwIfAborted();
    archive = openArchive(beside, openFile, recipients && sealTo(recipients));
    return { ...(await copyMarket(ctx, tx, archive, stop)), bytes: await archive.close() };
  };
  try {
    await mkdir(dirname(file), { recursive: true, mode: privateFolder });
    // Inside, so that the lock is given back at once; outside, for a database that does not answer.
    copied = inSnapshot(clientOf(ctx.db), limits.wholeMs, (tx) => stop.race(work(tx)));
    const written = await stop.race(copied);
    await rename(beside, file);
    await synced(dirname(file));
    return { ...written, file };
  } catch (error) {
    stop.now(error);
    const removed = archive?.abandon().then(() => rm(beside, { force: true }));
    await Promise.race([
      Promise.allSettled([copied, removed]),
      pause(tidyMs, undefined, { ref: false }),
    ]);
    throw explained(error, file);
  } finally {
    stop.clear();
  }
}

type Stop = {
  signal: AbortSignal;
  /** Settles as the work does, and rejects at once when the backup is given up. */
  race<T>(work: Promise<T>): Promise<T>;
  /** Starts the limit of one table; call what it answers when the table is done. */
  table(name: string): () => void;
  tableMs: number;
  wholeMs: number;
  now(reason: unknown): void;
  clear(): void;
};

/** Gives a backup up: at its limits, and when the process is asked to end. */
function stopFor({ services, signal }: Ctx, { tableMs, wholeMs }: BackupLimits): Stop {
  const own = new AbortController();
  const late = (what: string, ms: number) =>
    own.abort(
      new Error(
        `${what} took longer than ${ms / 1000} s, and the backup was given up (BACKUP_MINUTES).`,
      ),
    );
  const leave = () =>
    own.abort(new Error('The backup was asked to stop, and nothing of it was kept.'));
  const asked = AbortSignal.any([services.leaving, ...(signal ? [signal] : [])]);
  if (asked.aborted) leave();
  asked.addEventListener('abort', leave);
  const whole = setTimeout(late, wholeMs, 'The backup', wholeMs);
  const given = new Promise<never>((_, reject) => {
    if (own.signal.aborted) reject(own.signal.reason);
    own.signal.addEventListener('abort', () => reject(own.signal.reason));
  });
  given.catch(() => {});
  return {
    signal: own.signal,
    tableMs,
    wholeMs,
    race: (work) => {
      work.catch(() => {});
      return Promise.race([work, given]);
    },
    table(name) {
      const timer = setTimeout(late, tableMs, `The table ${name}`, tableMs);
      return () => clearTimeout(timer);
    },
    now: (reason) => own.abort(reason),
    clear() {
      clearTimeout(whole);
      asked.removeEventListener('abort', leave);
    },
  };
}

/** A backup never takes the place of another one: the older may be the one that is needed. */
async function refuseExisting(file: string): Promise<void> {
  const there = await stat(file).catch(() => undefined);
  if (there)
    throw new Error(
      `${file} exists already, and a backup replaces no file. Choose another name, or move the file away.`,
    );
}

/** Names the file beside what the system says of it: "ENOSPC, write" alone says nothing about which disk. */
function explained(error: unknown, file: string): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  return syscall && syscall !== 'connect' && code
    ? new Error(`The backup could not be written to ${file}: ${message}`, { cause: error })
    : error;
}

/** Removes half-written files of attempts that were killed. Called under the lock, so no attempt of this market is under way. */
async function sweepParts({ now }: Ctx, folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.part') || !isBackupName(name.slice(0, -'.part'.length))) continue;
    const path = join(folder, name);
    const about = await stat(path).catch(() => undefined);
    if (about && about.mtimeMs < now().getTime() - deadMs) await rm(path, { force: true });
  }
}

async function copyMarket(
  ctx: Ctx,
  tx: TransactionSql,
  archive: Archive,
  stop: Stop,
): Promise<Omit<Written, 'file' | 'bytes'>> {
  const { env, storage } = ctx.services;
  const applied = await tx<
    { hash: string }[]
  >`select hash from drizzle.__drizzle_migrations order by created_at`;
  const tables: Manifest['tables'] = [];
  for (const { name, columns } of await tablesOf(tx))
    tables.push({ name, columns, rows: await copyTable(tx, archive, stop, { name, columns }) });
  await limitStatements(tx, stop.wholeMs);
  const files: Manifest['files'] = { count: 0, bytes: 0, missing: [] };
  // A cursor of SQL: one of the driver is a statement that stays open, and is given up as silent while a slow storage is read.
  await tx.unsafe(`declare photos no scroll cursor for ${copiedPhotos}`);
  for (;;) {
    const rows = await tx.unsafe<{ image: StoredImage }[]>('fetch 50 from photos');
    if (rows.length === 0) break;
    for (const { image } of rows) {
      stop.signal.throwIfAborted();
      const keys = filesOf(image);
      const found = await Promise.all(keys.map((key) => storage.get(key)));
      for (const [n, key] of keys.entries()) {
        const bytes = found[n];
        if (!bytes) files.missing.push(key);
        else {
          await archive.add(filePart(key), bytes);
          files.count++;
          files.bytes += bytes.byteLength;
        }
      }
    }
  }
  const [kept] = await tx<{ value: string }[]>`select value from secrets where name = 'auth'`;
  // Read last: a sequence knows no moment, and must be ahead of every row that was copied.
  const sequences = await tx<
    { name: string; value: string }[]
  >`select sequencename as name, coalesce(last_value, 0) as value from pg_sequences where schemaname = 'public'`;
  const manifest: Omit<Manifest, 'sums'> = {
    format: 'marche54-backup',
    version: 1,
    madeAt: ctx.now().toISOString(),
    migrations: applied.map(({ hash }) => hash),
    tables,
    sequences: sequences.map(({ name, value }) => ({ name, value: Number(value) })),
    files,
    secretMark: markOf(env.AUTH_SECRET ?? kept?.value ?? ''),
  };
  await archive.seal(manifest, env.BACKUP_KEY);
  return {
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    photos: files.count,
    missing: files.missing,
  };
}

/** Copies a table in pieces that end with a row: Postgres sends each row whole, and no row has a line break in it. */
async function copyTable(
  tx: TransactionSql,
  archive: Archive,
  stop: Stop,
  { name, columns }: Table,
): Promise<number> {
  let [rows, piece, size, held] = [0, 0, 0, [] as Uint8Array[]];
  const flush = async () => {
    if (size === 0) return;
    await archive.add(tablePart(name, ++piece), await promisify(gzip)(Buffer.concat(held)));
    [size, held] = [0, []];
  };
  await limitStatements(tx, stop.tableMs);
  const done = stop.table(name);
  try {
    const stream = await tx
      .unsafe(`copy "${name}" (${columns.map((column) => `"${column}"`).join(', ')}) to stdout`)
      .readable();
    // The transaction cannot be rolled back while the connection is full of rows that are not read.
    const giveUp = () => stream.destroy();
    stop.signal.addEventListener('abort', giveUp);
    try {
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        for (const byte of chunk) if (byte === 10) rows++;
        held.push(chunk);
        size += chunk.byteLength;
        if (size >= pieceBytes && chunk.at(-1) === 10) await flush();
        stop.signal.throwIfAborted();
      }
    } finally {
      stop.signal.removeEventListener('abort', giveUp);
    }
    await flush();
  } catch (error) {
    if (postgresCode(error) !== '57014') throw error;
    throw new Error(
      `The table ${name} took longer than ${stop.tableMs / 1000} s to copy (BACKUP_MINUTES).`,
      { cause: error },
    );
  } finally {
    done();
  }
  return rows;
}

/** Makes a folder's new name last through a power cut. */
async function synced(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
