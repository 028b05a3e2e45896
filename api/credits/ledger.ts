import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { chainKey } from '../core/chain.ts';
import type { Ctx } from '../core/context.ts';
import { readSettings } from '../core/settings.ts';
import { type Entry, hashOf } from './chain.ts';

/** A member's account, locked until the transaction ends. */
export type Account = typeof schema.creditAccounts.$inferSelect;
/** What is new in an entry; the rest follows from the one before. */
type Draft = Pick<Entry, 'kind' | 'amount'> &
  Partial<
    Pick<Entry, 'referenceType' | 'referenceId' | 'undoes' | 'purchaseId' | 'reason' | 'actorId'>
  >;

/**
 * Locks the credits of an account's owner, who then waits for nobody else's but their own. The first to ask opens them, with the credits that new
 * members start with: once, since there is one row a person. `ctx.db` must be an open transaction.
 */
export async function lockAccount(tx: Ctx, userId: string): Promise<Account> {
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

/** The same by the ledger's own number, whether or not there is a person behind it still. */
export async function lockNumber(tx: Ctx, number: number): Promise<Account> {
  const { creditAccounts: a } = schema;
  const [account] = await tx.db.select().from(a).where(eq(a.number, number)).for('update');
  if (!account) throw new Error(`There is no member ${number}`);
  return account;
}

/** Adds one entry to a locked account and answers both as they are now. Postgres refuses one that does not follow, or a balance below zero. */
export async function append(
  tx: Ctx,
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
