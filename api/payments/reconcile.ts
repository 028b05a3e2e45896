import { and, eq, gte, inArray, isNotNull, lt, or, type SQL } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import type { StatementLine } from '../core/ports.ts';
import { inTransaction } from '../core/transaction.ts';
import { Refusal } from '../shared/errors.ts';
import { isUuid } from '../shared/text.ts';
import { paidIn, priceOf } from './rules.ts';
import type { comparison } from './schema.ts';

const { purchases: p, refunds: r } = schema;

type Ours = {
  id: string;
  kind: 'payment' | 'refund';
  /** Purchase whose payment it is, or whose money was given back. */
  purchase: string;
  reference: string;
  /** When the money moved; null if it did not. */
  movedAt: Date | null;
  amount: number;
  currency: string;
};
type Difference = {
  why: 'onlyTheirs' | 'onlyOurs' | 'state' | 'amount' | 'twice';
  ours: Ours | undefined;
  theirs: StatementLine | undefined;
};

/** More differences than that are another day's list, or another market's. */
const shown = 200;
const dayMs = 86_400_000;

/** The provider whose list can be compared. */
export const comparable = ({ services }: Pick<Ctx, 'services'>) =>
  services.payments.find(({ readStatement }) => readStatement !== undefined);

/**
 * Compares a day (UTC, as the provider counts) with the provider's list in CSV, both ways: what only
 * one side knows, and what differs in state or amount. Changes nothing and keeps nothing of the list.
 * Refuses `payments.noStatement` without such a provider, and as its `readStatement`.
 */
export async function reconcile(ctx: Ctx, { day, csv }: z.output<typeof comparison>) {
  requireAdmin(ctx);
  const adapter = comparable(ctx);
  if (!adapter?.readStatement) throw new Refusal('payments.noStatement');
  const { lines, others } = adapter.readStatement(csv);
  const theirs = lines.filter((line) => line.day === null || line.day === day);
  const ids = lines.map(({ id }) => id).filter(isUuid);
  const ours = await oursOf(ctx, adapter.name, day, ids);
  const differences = differencesOf(theirs, lines, ours);
  const begin = new Date(`${day}T00:00:00Z`);
  const counts = {
    lines: theirs.length,
    ours: ours.filter(({ movedAt }) => movedAt && isIn(movedAt, begin)).length,
    otherDays: lines.length - theirs.length,
    others,
    differences: differences.length,
  };
  await inTransaction(ctx, (tx) =>
    audit(tx, {
      ...{ action: 'purchase.reconcile', subjectKind: 'job', subjectId: 'reconcile' },
      after: { day, provider: adapter.name, ...counts },
    }),
  );
  return { ...counts, rows: differences.slice(0, shown).map(present) };
}

const isIn = (moment: Date, begin: Date): boolean =>
  moment >= begin && moment.getTime() < begin.getTime() + dayMs;

/** Payments and refunds by an adapter whose money moved on a day, or whose ids are given. */
async function oursOf(ctx: Ctx, name: string, day: string, ids: string[]): Promise<Ours[]> {
  const begin = new Date(`${day}T00:00:00Z`);
  const end = new Date(begin.getTime() + dayMs);
  const wanted = (
    moment: typeof p.completedAt | typeof r.at,
    id: typeof p.id | typeof r.id,
  ): SQL | undefined =>
    or(and(gte(moment, begin), lt(moment, end)), ids.length > 0 ? inArray(id, ids) : undefined);
  const payments = await ctx.db
    .select()
    .from(p)
    .where(and(eq(p.adapter, name), wanted(p.completedAt, p.id)));
  const refunds = await ctx.db
    .select({ refund: r, reference: p.reference })
    .from(r)
    .innerJoin(p, eq(p.id, r.purchaseId))
    // Those by hand never began at the provider.
    .where(and(eq(p.adapter, name), isNotNull(r.startedAt), wanted(r.at, r.id)));
  return [
    ...payments.map((purchase) => ({
      ...{ id: purchase.id, kind: 'payment' as const, purchase: purchase.id },
      ...{ reference: purchase.reference, movedAt: purchase.completedAt },
      ...{ amount: priceOf(purchase), currency: paidIn(purchase) },
    })),
    ...refunds.map(({ refund: { id, purchaseId, amount, currency, status, at }, reference }) => ({
      ...{ id, kind: 'refund' as const, purchase: purchaseId, reference },
      ...{ movedAt: status === 'completed' ? at : null, amount, currency },
    })),
  ];
}

/**
 * Differences of a day. `theirs` are the day's lines, `all` those of the list: a payment on another
 * day's is not missing.
 */
function differencesOf(
  theirs: readonly StatementLine[],
  all: readonly StatementLine[],
  known: readonly Ours[],
): Difference[] {
  const ours = new Map(known.map((one) => [one.id, one]));
  const moved = new Set<string>();
  const found = theirs.flatMap((line): Difference[] => {
    const own = ours.get(line.id);
    const mine = own && (line.kind === null || line.kind === own.kind) ? own : undefined;
    const difference = (why: Difference['why']) => [{ why, ours: mine, theirs: line }];
    if (line.moved && moved.has(line.id)) return difference('twice');
    if (line.moved) moved.add(line.id);
    if (!mine) return line.moved ? difference('onlyTheirs') : [];
    if (line.moved !== (mine.movedAt !== null)) return difference('state');
    return line.moved && (line.amount !== mine.amount || line.currency !== mine.currency)
      ? difference('amount')
      : [];
  });
  const listed = new Set(all.map(({ id }) => id));
  const missing = known.filter(({ id, movedAt }) => movedAt !== null && !listed.has(id));
  return [
    ...found,
    ...missing.map((one) => ({ why: 'onlyOurs' as const, ours: one, theirs: undefined })),
  ];
}

const present = ({ why, ours, theirs }: Difference) => ({
  why,
  kind: ours?.kind ?? theirs?.kind ?? null,
  ours: ours && {
    ...{ purchase: ours.purchase, reference: ours.reference },
    ...{ amount: ours.amount, currency: ours.currency, at: ours.movedAt?.toISOString() ?? null },
  },
  theirs: theirs && {
    ...{ line: theirs.line, id: theirs.id, moved: theirs.moved },
    ...{ amount: theirs.amount, currency: theirs.currency },
  },
});
