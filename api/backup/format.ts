import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';

/**
 * A backup is a tar (decision 052): `database/<table>/000001.copy.gz`, pieces of Postgres's own COPY text; `files/products/…`, the photos; `sums/000001.sha256`, lines of
 * sha256sum for the parts ahead of it; `manifest.json`, which says what it is and has the sums of the sums; `manifest.sha256`, the manifest's own, last of all.
 */
const sha = z.string().check(z.regex(/^[0-9a-f]{64}$/));
/** What is written into SQL: names as the schema has them, and nothing else. */
const plainName = z.string().check(z.regex(/^[a-z_][a-z0-9_]{0,62}$/));
const amount = z.int().check(z.minimum(0));
export const manifestSchema = z.strictObject({
  format: z.literal('marche54-backup'),
  version: z.literal(1),
  madeAt: z.iso.datetime(),
  /** The hashes of the migrations that the database had, oldest first: what the rows are to be read by. */
  migrations: z.array(sha).check(z.minLength(1)),
  tables: z.array(
    z.strictObject({
      name: plainName,
      columns: z.array(plainName).check(z.minLength(1)),
      rows: amount,
    }),
  ),
  sequences: z.array(z.strictObject({ name: plainName, value: amount })),
  /** Photos, and those whose files were not there when they were looked for. */
  files: z.strictObject({ count: amount, bytes: amount, missing: z.array(z.string()) }),
  sums: z.array(sha),
  /** Knows the secret that the market was run with, without giving it away; sealed rows can be opened with that one alone. */
  secretMark: sha,
});
export type Manifest = z.output<typeof manifestSchema>;

export const manifestName = 'manifest.json';
export const sealName = 'manifest.sha256';
export const sumsName = (n: number): string => `sums/${serial(n)}.sha256`;
export const tablePart = (table: string, n: number): string =>
  `database/${table}/${serial(n)}.copy.gz`;
export const filePart = (key: string): string => `files/${key}`;
const serial = (n: number) => String(n).padStart(6, '0');

/** The table or the storage key of a part; nothing of a name that no backup has. */
export function partOf(name: string): { table: string } | { file: string } | undefined {
  const table = /^database\/([a-z_][a-z0-9_]{0,62})\/\d{6,}\.copy\.gz$/.exec(name)?.[1];
  if (table) return { table };
  const file = /^files\/(products\/[A-Za-z0-9][A-Za-z0-9._-]{0,199})$/.exec(name)?.[1];
  return file && !file.includes('..') ? { file } : undefined;
}

/** A piece of a table is cut off after so many bytes, and sums are written after so many parts: nothing in memory grows with the market. */
export const pieceBytes = 1024 * 1024;
export const partsPerSums = 1000;
/** No part of ours is larger: a photo is 5 MB at most, one row a part of its own at worst. */
export const partLimit = 64 * 1024 * 1024;

export const sha256 = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');
export const sumLine = (name: string, bytes: Uint8Array): string => `${sha256(bytes)}  ${name}\n`;

/** Under the manifest: its sum, and where the operator has a key (BACKUP_KEY), a signature that only the key makes. */
export const sealOf = (manifest: Uint8Array, key: string | undefined): string =>
  sumLine(manifestName, manifest) +
  (key ? `${createHmac('sha256', key).update(manifest).digest('hex')}  signed\n` : '');

export const same = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};

export const markOf = (secret: string): string =>
  createHmac('sha256', secret).update('marche54:backup').digest('hex');

/** Why a file is not restored, in a sentence; nothing has been touched. */
export class BadBackup extends Error {
  override name = 'BadBackup';
}
