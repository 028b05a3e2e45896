import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';

/**
 * A backup is a tar (decision 052): `database/<table>/000001.copy.gz` (pieces of COPY text),
 * `files/products/…` (photos), `sums/000001.sha256` (of the parts before it), `manifest.json` (with
 * the sums of the sums), and last `manifest.sha256`.
 */
const sha = z.string().check(z.regex(/^[0-9a-f]{64}$/));
/** These names end up in SQL. */
const plainName = z.string().check(z.regex(/^[a-z_][a-z0-9_]{0,62}$/));
const amount = z.int().check(z.minimum(0));
export const manifestSchema = z.strictObject({
  format: z.literal('marche54-backup'),
  version: z.literal(1),
  madeAt: z.iso.datetime(),
  /** Hashes of the applied migrations, oldest first. */
  migrations: z.array(sha).check(z.minLength(1)),
  tables: z.array(
    z.strictObject({
      name: plainName,
      columns: z.array(plainName).check(z.minLength(1)),
      rows: amount,
    }),
  ),
  sequences: z.array(z.strictObject({ name: plainName, value: amount })),
  files: z.strictObject({ count: amount, bytes: amount, missing: z.array(z.string()) }),
  sums: z.array(sha),
  /** HMAC of the market's secret, without which sealed rows cannot be opened. */
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

export function partOf(name: string): { table: string } | { file: string } | undefined {
  const table = /^database\/([a-z_][a-z0-9_]{0,62})\/\d{6,}\.copy\.gz$/.exec(name)?.[1];
  if (table) return { table };
  const file = /^files\/(products\/[A-Za-z0-9][A-Za-z0-9._-]{0,199})$/.exec(name)?.[1];
  return file && !file.includes('..') ? { file } : undefined;
}

/** Keeps memory use independent of the market's size. */
export const pieceBytes = 1024 * 1024;
export const partsPerSums = 1000;
/** Ours are smaller: a photo has 5 MB at most, a huge row is a part of its own. */
export const partLimit = 64 * 1024 * 1024;

export const sha256 = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');
export const sumLine = (name: string, bytes: Uint8Array): string => `${sha256(bytes)}  ${name}\n`;

/** The manifest's sum, and with BACKUP_KEY its signature. */
export const sealOf = (manifest: Uint8Array, key: string | undefined): string =>
  sumLine(manifestName, manifest) +
  (key ? `${createHmac('sha256', key).update(manifest).digest('hex')}  signed\n` : '');

export const same = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};

export const markOf = (secret: string): string =>
  createHmac('sha256', secret).update('marche54:backup').digest('hex');

/** The reason for refusing a backup, as a sentence; nothing was changed. */
export class BadBackup extends Error {
  override name = 'BadBackup';
}
