import { createHmac, randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';

export type Entry = typeof schema.creditEntries.$inferSelect;
/** What an entry's hash is made of: numbers and ids, no words and no person. */
export type Linked = Pick<
  Entry,
  'id' | 'member' | 'serial' | 'kind' | 'amount' | 'balance' | 'referenceType' | 'referenceId' | 'undoes' | 'purchaseId' | 'at' | 'previous'
>;

const { secrets } = schema;

/** The key of every chain, made once and kept in the database: another `AUTH_SECRET` changes nothing of the ledger. */
export async function chainKey({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<string> {
  const known = await keptChainKey({ db });
  if (known) return known;
  await db
    .insert(secrets)
    .values({ name: 'credits', value: randomBytes(32).toString('hex'), createdAt: now() })
    .onConflictDoNothing();
  const made = await keptChainKey({ db });
  if (!made) throw new Error('The key of the ledger could not be kept');
  return made;
}

/** The same where nothing is written: nothing before the first entry. */
export async function keptChainKey({ db }: Pick<Ctx, 'db'>): Promise<string | undefined> {
  const [known] = await db.select({ value: secrets.value }).from(secrets).where(eq(secrets.name, 'credits'));
  return known?.value;
}

/** Signs an entry together with the one before it. */
export function hashOf(key: string, entry: Linked): string {
  const { id, member, serial, kind, amount, balance, referenceType, referenceId, undoes, purchaseId, at, previous } = entry;
  const signed = [id, member, serial, kind, amount, balance, referenceType, referenceId, undoes, purchaseId, at.toISOString(), previous];
  return createHmac('sha256', key).update(JSON.stringify(signed)).digest('hex');
}
