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
import type { Env } from '../ops/env.ts';
import { filesOf } from '../uploads/files.ts';
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

export type BackupLimits = { tableMs: number; wholeMs: number };

/** A table may take a quarter of the whole. */
export const backupLimits = ({
  BACKUP_MINUTES: minutes,
}: Pick<Env, 'BACKUP_MINUTES'>): BackupLimits => ({
  tableMs: minutes * 15_000,
  wholeMs: minutes * 60_000,
});

/** A partial file that has not grown for this long has no writer left. */
const deadMs = 10 * 60_000;
/** Time to free the lock and remove the file: database or network disk may hang. */
const tidyMs = 3000;

/**
 * Writes a consistent backup of a running market (decision 052); photo deletions wait for their
 * next run. The file appears whole or not at all, owner-only; a name ending in `.age` is encrypted
 * to BACKUP_RECIPIENTS. Throws if the file exists, another backup runs, a limit is reached, the
 * disk refuses, or the process is asked to end.
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
    // Raced inside to free the lock at once, and outside in case the database does not answer.
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
  /** Settles with the work, or rejects at once when given up. */
  race<T>(work: Promise<T>): Promise<T>;
  /** Starts a table's limit; the answer ends it. */
  table(name: string): () => void;
  tableMs: number;
  wholeMs: number;
  now(reason: unknown): void;
  clear(): void;
};

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

/** The older backup may be the one that is needed. */
async function refuseExisting(file: string): Promise<void> {
  const there = await stat(file).catch(() => undefined);
  if (there)
    throw new Error(
      `${file} exists already, and a backup replaces no file. Choose another name, or move the file away.`,
    );
}

/** "ENOSPC, write" does not say which disk. */
function explained(error: unknown, file: string): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  return syscall && syscall !== 'connect' && code
    ? new Error(`The backup could not be written to ${file}: ${message}`, { cause: error })
    : error;
}

/** Removes partial files of killed attempts; the lock excludes active ones. */
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
  // An SQL cursor: the driver's is an open statement that times out while a slow storage is read.
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
  // Read last: sequences ignore the snapshot and must be ahead of every copied row.
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

/** Pieces end with a row: COPY sends whole rows and escapes line breaks. */
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
    // Unread rows in the connection block the rollback.
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

/** Makes a renamed file survive a power cut. */
async function synced(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
