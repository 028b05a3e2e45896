import { createHmac } from 'node:crypto';
import { keptSecret, knownSecret } from '../ops/secret.ts';
import type { Ctx } from './context.ts';

/** `serial` counts from 1; `previous` is the hash of the entry before. */
export type Link = { serial: number; previous: string; hash: string };
export type ChainFault = { serial: number; what: 'changed' | 'missing' | 'unchained' };

type Chain = 'credits' | 'queue';

/**
 * A chain's key, created once and kept in the database: a new `AUTH_SECRET` leaves signatures
 * valid.
 */
export const chainKey = ({ db, now }: Pick<Ctx, 'db' | 'now'>, name: Chain): Promise<string> =>
  keptSecret(db, name, now());

/**
 * The key to verify with. Verifying writes nothing: without a key it is '', which proves no entry.
 */
export const provingKey = async (tx: Pick<Ctx, 'db'>, name: Chain): Promise<string> =>
  (await knownSecret(tx.db, name)) ?? '';

export const sign = (key: string, values: readonly unknown[]): string =>
  createHmac('sha256', key).update(JSON.stringify(values)).digest('hex');

/**
 * Compares an entry with the last one before it.
 * @param signed its correct hash
 * @param follows its own values continue the entry before
 */
export function faultsAt(
  last: Pick<Link, 'serial' | 'hash'>,
  entry: Link,
  signed: string,
  follows = true,
): ChainFault[] {
  const faults = missingBetween(last.serial, entry.serial);
  const next = entry.serial === last.serial + 1;
  if (signed !== entry.hash) faults.push({ serial: entry.serial, what: 'changed' });
  else if (next && !(follows && entry.previous === last.hash))
    faults.push({ serial: entry.serial, what: 'unchained' });
  return faults;
}

export const missingBetween = (last: number, next: number): ChainFault[] =>
  Array.from({ length: Math.max(0, next - last - 1) }, (_, n) => ({
    serial: last + 1 + n,
    what: 'missing' as const,
  }));
