import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { chainKey } from '../core/chain.ts';
import type { Tx } from '../core/context.ts';
import { readSettings } from '../settings/values.ts';
import { type Entry, hashOf } from './chain.ts';

export type Account = typeof schema.creditAccounts.$inferSelect;
type Draft = Pick<Entry, 'kind' | 'amount'> &
  Partial<
    Pick<Entry, 'referenceType' | 'referenceId' | 'undoes' | 'purchaseId' | 'reason' | 'actorId'>
  >;

/**
 * Locks a member's credits, opening them with the joining credits on first use.
 */
export async function lockAccount(tx: Tx, userId: string): Promise<Account> {
  const { creditAccounts: a } = schema;
  const find = () => tx.db.select().from(a).where(eq(a.userId, userId)).for('update');
  const [known] = await find();
  if (known) return known;
  const [opened] = await tx.db
    .insert(a)
    .values({ userId, openedAt: tx.now() })
    .onConflictDoNothing()
    .returning();
  if (!opened) {
    const [other] = await find();
    if (!other) throw new Error('The credits of an account could not be opened');
    return other;
  }
  const { creditsOnJoining } = await readSettings(tx, ['creditsOnJoining']);
  return creditsOnJoining === 0
    ? opened
    : (await append(tx, opened, { kind: 'joining', amount: creditsOnJoining })).account;
}

/** Locks credits by member number, also after the account was deleted. */
export async function lockNumber(tx: Tx, number: number): Promise<Account> {
  const { creditAccounts: a } = schema;
  const [account] = await tx.db.select().from(a).where(eq(a.number, number)).for('update');
  if (!account) throw new Error(`There is no member ${number}`);
  return account;
}

/**
 * Appends an entry to a locked account and returns both. A database trigger refuses a broken chain
 * or a balance below zero.
 */
export async function append(
  tx: Tx,
  account: Account,
  draft: Draft,
): Promise<{ entry: Entry; account: Account }> {
  const row = {
    referenceType: null,
    referenceId: null,
    undoes: null,
    purchaseId: null,
    reason: null,
    actorId: null,
    ...draft,
    id: randomUUID(),
    member: account.number,
    serial: account.entries + 1,
    balance: account.balance + draft.amount,
    at: tx.now(),
    previous: account.head,
  };
  const entry = { ...row, hash: hashOf(await chainKey(tx, 'credits'), row) };
  await tx.db.insert(schema.creditEntries).values(entry);
  return {
    entry,
    account: { ...account, entries: entry.serial, balance: entry.balance, head: entry.hash },
  };
}
