import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Sql, TransactionSql } from 'postgres';
import { type Pack, pack } from 'tar-stream';
import { clientOf } from '../../db/client.ts';
import { privateFile, privateFolder } from '../../db/privacy.ts';
import type { StoredImage } from '../../db/schema/products.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { filesOf } from '../uploads/receive.ts';
import { filePart, type Manifest, manifestName, markOf, partsPerSums, pieceBytes, sealName, sealOf, sha256, sumLine, sumsName, tablePart } from './format.ts';
import { copiedPhotos, tablesOf } from './tables.ts';

export type Written = { file: string; bytes: number; rows: number; photos: number; missing: string[] };

/**
 * Writes one consistent backup of database and photos to a file, while the market runs (decision 052): the rows are those of one moment, and whatever deletes photos
 * waits for the next run. The file appears whole or not at all, and only its owner can read it. Throws where another backup is being written.
 */
export async function writeBackup(ctx: Ctx, file: string): Promise<Written> {
  requireAdmin(ctx);
  const beside = `${file}.part`;
  await mkdir(dirname(file), { recursive: true, mode: privateFolder });
  await rm(beside, { force: true });
  const archive = openArchive(beside);
  try {
    const written = await alone(clientOf(ctx.db), (tx) => copyMarket(ctx, tx, archive));
    const bytes = await archive.close();
    await rename(beside, file);
    await synced(dirname(file));
    return { ...written, file, bytes };
  } catch (error) {
    archive.abandon();
    await rm(beside, { force: true });
    throw error;
  }
}

/** Holds the lock that deletions of photos look for, and opens the moment only then: what was deleted before is not in it. */
const alone = <T>(client: Sql, work: (tx: TransactionSql) => Promise<T>): Promise<T> =>
  client.begin(async (lock) => {
    await lock`set local idle_in_transaction_session_timeout = 0`;
    const [row] = await lock<{ taken: boolean }[]>`select pg_try_advisory_xact_lock(hashtextextended('backup', 54)) as taken`;
    if (!row?.taken) throw new Error('Another backup is being written, or photos are being deleted. Try again in a minute.');
    return client.begin('isolation level repeatable read read only', async (tx) => {
      await tx`set local statement_timeout = 0`;
      await tx`set local idle_in_transaction_session_timeout = 0`;
      return work(tx);
    });
  }) as Promise<T>;

async function copyMarket(ctx: Ctx, tx: TransactionSql, archive: Archive): Promise<Omit<Written, 'file' | 'bytes'>> {
  const { env, storage } = ctx.services;
  const applied = await tx<{ hash: string }[]>`select hash from drizzle.__drizzle_migrations order by created_at`;
  const tables: Manifest['tables'] = [];
  for (const { name, columns } of await tablesOf(tx)) tables.push({ name, columns, rows: await copyTable(ctx, tx, archive, name, columns) });
  const files: Manifest['files'] = { count: 0, bytes: 0, missing: [] };
  for await (const rows of tx.unsafe<{ image: StoredImage }[]>(copiedPhotos).cursor(50)) {
    for (const { image } of rows) {
      expectToGoOn(ctx);
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
  return { rows: tables.reduce((sum, { rows }) => sum + rows, 0), photos: files.count, missing: files.missing };
}

/** Copies a table in pieces that end with a row: Postgres sends each row whole, and no row has a line break in it. */
async function copyTable(ctx: Ctx, tx: TransactionSql, archive: Archive, name: string, columns: readonly string[]): Promise<number> {
  let [rows, piece, size, held] = [0, 0, 0, [] as Uint8Array[]];
  const flush = async () => {
    if (size === 0) return;
    await archive.add(tablePart(name, ++piece), await promisify(gzip)(Buffer.concat(held)));
    [size, held] = [0, []];
  };
  const stream = await tx.unsafe(`copy "${name}" (${columns.map((column) => `"${column}"`).join(', ')}) to stdout`).readable();
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    for (const byte of chunk) if (byte === 10) rows++;
    held.push(chunk);
    size += chunk.byteLength;
    if (size >= pieceBytes && chunk.at(-1) === 10) await flush();
    expectToGoOn(ctx);
  }
  await flush();
  return rows;
}

function expectToGoOn({ signal }: Ctx): void {
  if (signal?.aborted) throw new Error('The market is stopping: the backup is left for the next run.');
}

type Archive = {
  add(name: string, bytes: Uint8Array): Promise<void>;
  seal(manifest: Omit<Manifest, 'sums'>, key: string | undefined): Promise<void>;
  /** Answers the bytes of the file, which is on the disk then. */
  close(): Promise<number>;
  abandon(): void;
};

function openArchive(file: string): Archive {
  const tar: Pack = pack();
  const out = createWriteStream(file, { flags: 'wx', mode: privateFile, flush: true });
  const ended = finished(tar.pipe(out));
  // Whoever waits for the end hears of it; until then the entries do.
  ended.catch((error) => tar.destroy(error as Error));
  let lines: string[] = [];
  const sums: string[] = [];
  async function entry(name: string, bytes: Uint8Array): Promise<void> {
    const sink = tar.entry({ name, size: bytes.byteLength, mode: 0o600 });
    const done = once(sink, 'close');
    sink.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    await Promise.race([done, ended.then(() => Promise.reject(new Error('The file of the backup was closed')))]);
  }
  async function sum(): Promise<void> {
    if (lines.length === 0) return;
    const text = Buffer.from(lines.join(''));
    lines = [];
    sums.push(sha256(text));
    await entry(sumsName(sums.length), text);
  }
  return {
    async add(name, bytes) {
      await entry(name, bytes);
      lines.push(sumLine(name, bytes));
      if (lines.length >= partsPerSums) await sum();
    },
    async seal(manifest, key) {
      await sum();
      const text = Buffer.from(`${JSON.stringify({ ...manifest, sums } satisfies Manifest, null, 2)}\n`);
      await entry(manifestName, text);
      await entry(sealName, Buffer.from(sealOf(text, key)));
    },
    async close() {
      tar.finalize();
      await ended;
      return out.bytesWritten;
    },
    abandon() {
      tar.destroy();
      out.destroy();
    },
  };
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
