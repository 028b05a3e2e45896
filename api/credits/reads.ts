import { and, asc, desc, eq, ilike, inArray, lt, or } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount, requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { mailbox } from '../people/mailbox.ts';
import { isLeaving } from '../people/staying.ts';
import { Refusal } from '../shared/errors.ts';
import type { Entry } from './chain.ts';
import { type Account, lockAccount } from './ledger.ts';
import { prices } from './rules.ts';
import { isWhole } from './verify.ts';

const { creditAccounts: a, creditEntries: e, user } = schema;
const pageSize = 50;

/** One's own credits, opened on first sight (product R18). */
async function ownAccount(ctx: Ctx): Promise<Account> {
  const { userId } = requireAccount(ctx);
  const [known] = await ctx.db.select().from(a).where(eq(a.userId, userId));
  return known ?? inTransaction(ctx, (tx) => lockAccount(tx, userId));
}

const presentEntry = ({
  at,
  member: _m,
  previous: _p,
  hash: _h,
  actorId: _a,
  ...entry
}: Entry) => ({ ...entry, at: at.toISOString() });

async function pageOf({ db }: Ctx, number: number, before?: number) {
  const rows = await db
    .select()
    .from(e)
    .where(and(eq(e.member, number), before === undefined ? undefined : lt(e.serial, before)))
    .orderBy(desc(e.serial))
    .limit(pageSize + 1);
  const shown = rows.slice(0, pageSize);
  return { shown, next: rows.length > pageSize ? (shown.at(-1)?.serial ?? null) : null };
}

/**
 * get_user_credit_balance (product §7): balance and one page of entries, newest first; pass `next`
 * as `before` for the following page.
 */
export async function statement(ctx: Ctx, before?: number) {
  const { userId, number, balance } = await ownAccount(ctx);
  const { shown, next } = await pageOf(ctx, number, before);
  const canBuy = !(await isLeaving(ctx, userId));
  // The newest entry wins over the account, which was read a moment earlier.
  return {
    number,
    balance: before === undefined ? (shown[0]?.balance ?? balance) : balance,
    prices,
    canBuy,
    entries: shown.map(presentEntry),
    next,
  };
}

export async function wholeStatement(ctx: Ctx): Promise<Entry[]> {
  const { number } = await ownAccount(ctx);
  return ctx.db.select().from(e).where(eq(e.member, number)).orderBy(asc(e.serial));
}

export async function members(ctx: Ctx, search: string) {
  requireAdmin(ctx);
  const like = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const rows = await ctx.db
    .select({
      userId: user.id,
      name: user.name,
      email: mailbox,
      number: a.number,
      balance: a.balance,
    })
    .from(user)
    .leftJoin(a, eq(a.userId, user.id))
    .where(or(ilike(user.name, like), ilike(mailbox, like)))
    .orderBy(asc(user.name), asc(user.id))
    .limit(pageSize);
  return { members: rows.map((row) => ({ ...row, balance: row.balance ?? 0 })) };
}

/**
 * A member's ledger for admins, with the owner while the account exists. `whole` is the chain's
 * verification, on the first page only. Refuses `notFound`.
 */
export async function memberLedger(ctx: Ctx, number: number, before?: number) {
  requireAdmin(ctx);
  const { shown, next } = await pageOf(ctx, number, before);
  const [account] = await ctx.db
    .select({
      number: a.number,
      balance: a.balance,
      userId: a.userId,
      name: user.name,
      email: mailbox,
    })
    .from(a)
    .leftJoin(user, eq(user.id, a.userId))
    .where(eq(a.number, number));
  if (!account) throw new Refusal('notFound');
  const admins = await ctx.db
    .select({ id: user.id, name: user.name })
    .from(user)
    .where(inArray(user.id, [...new Set(shown.flatMap(({ actorId }) => actorId ?? []))]));
  const by = (id: string | null) => admins.find((admin) => admin.id === id)?.name ?? null;
  return {
    ...account,
    whole: before === undefined ? await isWhole(ctx, number) : null,
    entries: shown.map((row) => ({
      ...presentEntry(row),
      actorId: row.actorId,
      by: by(row.actorId),
    })),
    next,
  };
}
