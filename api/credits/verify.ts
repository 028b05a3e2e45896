import { and, asc, between, eq, gt, isNotNull, isNull, ne, or } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { type ChainFault, faultsAt, missingBetween, provingKey } from '../core/chain.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { atOneMoment } from '../core/transaction.ts';
import { type Entry, hashOf } from './chain.ts';
import type { Account } from './ledger.ts';

type Fault = {
  member: number;
  entry: number | null;
  what: 'changed' | 'missing' | 'unchained' | 'account' | 'purchase';
};

type Walk = { members: number; entries: number; faults: Fault[] };

function faultsOf(
  key: string,
  { number: member, entries: count, balance, head }: Account,
  entries: readonly Entry[],
): Fault[] {
  const found: ChainFault[] = [];
  let last = { serial: 0, balance: 0, hash: '' };
  for (const entry of entries) {
    found.push(
      ...faultsAt(last, entry, hashOf(key, entry), entry.balance === last.balance + entry.amount),
    );
    last = entry;
  }
  found.push(...missingBetween(last.serial, count + 1));
  const faults = found.map(({ serial, what }): Fault => ({ member, entry: serial, what }));
  if (
    count < last.serial ||
    (count === last.serial && (balance !== last.balance || head !== last.hash))
  )
    faults.push({ member, entry: null, what: 'account' });
  return faults;
}

export async function isWhole(ctx: Ctx, number: number): Promise<boolean> {
  const { creditAccounts: a, creditEntries: e } = schema;
  return atOneMoment(ctx, async (tx) => {
    const [account] = await tx.db.select().from(a).where(eq(a.number, number));
    const entries = await tx.db.select().from(e).where(eq(e.member, number)).orderBy(asc(e.serial));
    return (
      account !== undefined &&
      faultsOf(await provingKey(tx, 'credits'), account, entries).length === 0
    );
  });
}

const membersAtOnce = 200;

/** Verifies every chain, account and purchase in one snapshot (`bun run verify-credits`). */
export const verifyCredits = (ctx: Ctx): Promise<Walk> => atOneMoment(ctx, walkLedger);

/** For a caller's snapshot transaction. */
export async function walkLedger(tx: Tx): Promise<Walk> {
  const { creditAccounts: a, creditEntries: e, purchases: p } = schema;
  const key = await provingKey(tx, 'credits');
  const sum = { members: 0, entries: 0, faults: [] as Fault[] };
  for (let after = 0; ; ) {
    const accounts = await tx.db
      .select()
      .from(a)
      .where(gt(a.number, after))
      .orderBy(asc(a.number))
      .limit(membersAtOnce);
    const [first, last] = [accounts[0], accounts.at(-1)];
    if (!first || !last) break;
    after = last.number;
    const entries = Map.groupBy(
      await tx.db
        .select()
        .from(e)
        .where(between(e.member, first.number, last.number))
        .orderBy(asc(e.member), asc(e.serial)),
      ({ member }) => member,
    );
    for (const account of accounts) {
      const own = entries.get(account.number) ?? [];
      sum.members++;
      sum.entries += own.length;
      sum.faults.push(...faultsOf(key, account, own));
    }
  }
  const ownerless = await tx.db
    .selectDistinct({ member: e.member })
    .from(e)
    .leftJoin(a, eq(a.number, e.member))
    .where(isNull(a.number));
  const uncredited = await tx.db
    .select({ member: p.member })
    .from(p)
    .leftJoin(e, and(eq(e.purchaseId, p.id), eq(e.kind, 'purchase')))
    .where(
      or(
        and(
          isNotNull(p.completedAt),
          isNotNull(p.member),
          or(isNull(e.id), ne(e.amount, p.creditsAmount), ne(e.member, p.member)),
        ),
        and(isNull(p.completedAt), isNotNull(e.id)),
      ),
    );
  const found = (rows: { member: number | null }[], what: Fault['what']) =>
    rows.map(({ member }): Fault => ({ member: member ?? 0, entry: null, what }));
  sum.faults.push(...found(ownerless, 'account'), ...found(uncredited, 'purchase'));
  return sum;
}
