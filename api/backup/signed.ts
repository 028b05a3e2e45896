import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { same } from './format.ts';
import { isBackupName } from './names.ts';

/**
 * Small files signed with BACKUP_KEY. A receipt ties a bucket's object to its name, size and hash;
 * without one it does not count. The note says when a backup was last opened with a private key.
 */
const kinds = {
  receipt: z.strictObject({
    name: z.string().check(z.refine(isBackupName)),
    bytes: z.int().check(z.positive()),
    sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  }),
  opened: z.strictObject({
    name: z.string(),
    madeAt: z.iso.datetime(),
    openedAt: z.iso.datetime(),
  }),
};
type Kinds = typeof kinds;
export type Receipt = z.output<Kinds['receipt']>;
export type Opened = z.output<Kinds['opened']>;

export const receiptOf = (name: string): string => `${name}.receipt`;
export const openedName = 'marche54-opened.note';
export const signedLimit = 4096;

// The kind is signed too, so one file never passes for another or a manifest.
const signatureOf = (kind: keyof Kinds, text: string, key: string) =>
  createHmac('sha256', key).update(`marche54-${kind}\n${text}`).digest('hex');

export function sign<K extends keyof Kinds>(
  kind: K,
  value: z.output<Kinds[K]>,
  key: string,
): string {
  const text = JSON.stringify(value);
  return `${text}\n${signatureOf(kind, text, key)}\n`;
}

/** Undefined if `key` did not sign the file. */
export function signedValue<K extends keyof Kinds>(
  kind: K,
  file: string,
  key: string,
): z.output<Kinds[K]> | undefined {
  const [text = '', signature = ''] = file.split('\n');
  if (!same(signature, signatureOf(kind, text, key))) return undefined;
  const read = z.safeParse(kinds[kind], JSON.parse(text));
  return read.success ? (read.data as z.output<Kinds[K]>) : undefined;
}
