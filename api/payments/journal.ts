import { type SQL, sql } from 'drizzle-orm';
import type { currencies, purchaseMethods } from '../../db/vocabularies.ts';
import { translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { writeCsv } from '../shared/csv.ts';
import { dayKey } from '../shared/format.ts';
import { isTestAdapter } from './rules.ts';

type Line = {
  at: Date;
  /** Day in Douala. */
  day: string;
  kind: 'payment' | 'refund';
  method: (typeof purchaseMethods)[number];
  adapter: string;
  purchase: string;
  subject: 'credits' | 'fee';
  member: number | null;
  /** Below zero for a refund. */
  amount: number;
  currency: (typeof currencies)[number];
  usd: number | null;
  rate: number | null;
  rateFrom: string | null;
  credits: number | null;
  reference: string;
};

/** Month in Douala, as `2026-11`. */
export const monthOf = (moment: Date): string => dayKey(moment).slice(0, 7);

/** Payments and refunds of a month, of this one if none is given, oldest first. */
async function journal(
  ctx: Ctx,
  month = monthOf(ctx.now()),
): Promise<(Line & { testMode: boolean })[]> {
  requireAdmin(ctx);
  const begin = sql`(${`${month}-01`}::date::timestamp at time zone 'Africa/Douala')`;
  const end = sql`((${`${month}-01`}::date + interval '1 month') at time zone 'Africa/Douala')`;
  const within = (moment: SQL) => sql`${moment} >= ${begin} and ${moment} < ${end}`;
  const currency = sql`case when p.amount_xaf is null then 'USD' else 'XAF' end`;
  const ofPurchase = sql`p.purchase_method as method, p.adapter, p.reference as purchase, p.member::int as member,
    case when p.member is null then 'fee' else 'credits' end as subject`;
  const rows = await ctx.db.execute<
    Omit<Line, 'at' | 'rate'> & { at: string; rate: string | null }
  >(sql`
    select at, to_char(at at time zone 'Africa/Douala', 'YYYY-MM-DD') as day, kind, method, adapter,
      purchase, subject, member, amount, currency, usd, rate, "rateFrom", credits, reference
    from (
      select p.completed_at as at, 'payment' as kind, ${ofPurchase}, coalesce(p.amount_xaf, p.amount_usd) as amount,
        ${currency} as currency, p.amount_usd as usd, p.xaf_rate::text as rate, p.xaf_from::text as "rateFrom",
        p.credits_amount as credits, p.payment_reference as reference
      from purchases p where ${within(sql`p.completed_at`)}
      union all
      select r.at, 'refund', ${ofPurchase}, -r.amount, r.currency, p.amount_usd, p.xaf_rate::text, p.xaf_from::text,
        case when p.member is not null then -r.credits_taken end, r.reference
      from refunds r join purchases p on p.id = r.purchase_id where r.status = 'completed' and ${within(sql`r.at`)}) lines
    order by at, purchase`);
  return rows.map((row) => ({
    ...row,
    at: new Date(row.at),
    rate: row.rate === null ? null : Number(row.rate),
    testMode: isTestAdapter(row.adapter),
  }));
}

/** Sums payments and refunds by day and method, the newest day first. */
export async function journalDays(ctx: Ctx, month?: string) {
  const lines = await journal(ctx, month);
  const groups = Map.groupBy(lines, ({ day, method, testMode }) => [day, method, testMode].join());
  const sum = (of: Line[], kind: Line['kind'], currency: Line['currency']) =>
    of
      .filter((line) => line.kind === kind && line.currency === currency)
      .reduce((total, { amount }) => total + Math.abs(amount), 0);
  const both = (of: Line[], kind: Line['kind']) => ({
    count: of.filter((line) => line.kind === kind).length,
    xaf: sum(of, kind, 'XAF'),
    usd: sum(of, kind, 'USD'),
  });
  return [...groups.values()]
    .map((of) => {
      const [{ day, method, testMode }] = of as [(typeof of)[number]];
      return { day, method, testMode, paid: both(of, 'payment'), refunded: both(of, 'refund') };
    })
    .toReversed();
}

const columns = [
  ...(['at', 'kind', 'method', 'adapter', 'purchase', 'subject', 'member'] as const),
  ...(['amount', 'currency'] as const),
  ...(['usd', 'rate', 'rateFrom', 'credits', 'reference'] as const),
] as const;

/** CSV of the journal in the reader's language: a line for each payment and refund. */
export async function journalCsv(ctx: Ctx, month?: string): Promise<string> {
  const lines = await journal(ctx, month);
  const t = translator(ctx.language satisfies Language, 'admin');
  return writeCsv(
    [
      columns.map((column) => t(`credits.journal.columns.${column}`)),
      ...lines.map((line) =>
        columns.map((column) => {
          if (column === 'at') return line.at.toISOString();
          if (column === 'kind') return t(`credits.journal.kinds.${line.kind}`);
          if (column === 'subject') return t(`credits.journal.subjects.${line.subject}`);
          if (column === 'method') return t(`credits.methods.${line.method}`);
          return line[column];
        }),
      ),
    ],
    ctx.language,
  );
}
