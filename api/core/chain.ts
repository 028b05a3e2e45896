import { createHmac, randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from './context.ts';

/** What every entry of a chain has: its number from 1 on, and its hash together with that of the one before. */
export type Link = { serial: number; previous: string; hash: string };
/** What is wrong with an entry: it was changed, it is not there, or it does not continue the one before. */
export type ChainFault = { serial: number; what: 'changed' | 'missing' | 'unchained' };

type Chain = 'credits' | 'queue';

/** The key of a kind of chain, made once and kept in the database: another `AUTH_SECRET` changes nothing of what was signed. */
export async function chainKey({ db, now }: Pick<Ctx, 'db' | 'now'>, name: Chain): Promise<string> {
  const known = await keptChainKey({ db }, name);
  if (known) return known;
  await db
    .insert(schema.secrets)
    .values({ name, value: randomBytes(32).toString('hex'), createdAt: now() })
    .onConflictDoNothing();
  const made = await keptChainKey({ db }, name);
  if (!made) throw new Error(`The key of the chain ${name} could not be kept`);
  return made;
}

/** The same where nothing is written: nothing before the first entry. */
async function keptChainKey({ db }: Pick<Ctx, 'db'>, name: Chain): Promise<string | undefined> {
  const { secrets } = schema;
  const [known] = await db
    .select({ value: secrets.value })
    .from(secrets)
    .where(eq(secrets.name, name));
  return known?.value;
}

/** The key that a walk judges by. A walk writes nothing: a chain without entries has no key, and entries without a key have nothing to prove them. */
export const provingKey = async (tx: Pick<Ctx, 'db'>, name: Chain): Promise<string> =>
  (await keptChainKey(tx, name)) ?? '';

/** Signs values, of which the hash of the entry before is one. */
export const sign = (key: string, values: readonly unknown[]): string =>
  createHmac('sha256', key).update(JSON.stringify(values)).digest('hex');

/**
 * Judges an entry against the last one that was there before it.
 * @param signed its hash as it should be
 * @param follows whether what it says, beside number and hash, continues the one before
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

/** The entries that should be between two numbers. */
export const missingBetween = (last: number, next: number): ChainFault[] =>
  Array.from({ length: Math.max(0, next - last - 1) }, (_, n) => ({
    serial: last + 1 + n,
    what: 'missing' as const,
  }));
