import { sql } from 'drizzle-orm';
import { requireAdmin } from '../core/access.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { atOneMoment, inTransaction, readOnly } from '../core/transaction.ts';
import { fileRules } from './files.ts';
import { rowRules } from './list.ts';
import type { Mend, Rule, RuleName } from './rule.ts';

/** `count` is null if the rule could not be evaluated; `ids` holds the first ones. */
export type Wrong = { name: RuleName; mend: Mend; count: number | null; ids: string[] };

export type Look = { checks: number; wrong: Wrong[] };

const namedAtMost = 20;

/**
 * Evaluates every rule on one snapshot of the database, then on the storage. Read-only, enforced by
 * Postgres (decision 018); a rule that fails to evaluate counts as broken.
 */
export async function checkMarket(ctx: Ctx): Promise<Look> {
  requireAdmin(ctx);
  const ofRows = await atOneMoment(ctx, (tx) => brokenRules(tx, rowRules));
  const strange = ofRows.some(({ name }) => name === 'migrations');
  return {
    checks: rowRules.length + fileRules.length,
    wrong: strange
      ? ofRows
      : [...ofRows, ...(await readOnly(ctx, (tx) => brokenRules(tx, fileRules)))],
  };
}

/** With other migrations no further rule is evaluated. */
export async function brokenRules(ctx: Ctx, rules: readonly Rule[]): Promise<Wrong[]> {
  const wrong: Wrong[] = [];
  for (const rule of rules) {
    const { name, mend } = rule;
    try {
      // A savepoint each: a failing rule must not end the others.
      const { count, ids } = await inTransaction(ctx, (tx) => lookAt(tx, rule));
      if (count > 0) wrong.push({ name, mend, count, ids });
    } catch (error) {
      ctx.services.log.error('A rule of the market could not be looked at', { rule: name, error });
      wrong.push({ name, mend, count: null, ids: [] });
    }
    if (name === 'migrations' && wrong.length > 0) break;
  }
  return wrong;
}

async function lookAt(tx: Tx, { wrong }: Rule): Promise<{ count: number; ids: string[] }> {
  if (typeof wrong === 'function') {
    const ids = await wrong(tx);
    return { count: ids.length, ids: ids.slice(0, namedAtMost) };
  }
  const [row] = await tx.db.execute<{ count: number; ids: string[] }>(sql`
    with clock as (select ${tx.now().toISOString()}::timestamptz as now), wrong as materialized (${sql.raw(wrong)})
    select (select count(*)::int from wrong) as count, array(select id::text from wrong order by 1
      limit ${namedAtMost}) as ids`);
  return row ?? { count: 0, ids: [] };
}
