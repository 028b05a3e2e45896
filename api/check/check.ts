import { sql } from 'drizzle-orm';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { atOneMoment, inTransaction, readOnly } from '../core/transaction.ts';
import { fileRules } from './files.ts';
import { rowRules } from './list.ts';
import type { Mend, Rule, RuleName } from './rule.ts';

/** A rule that does not hold: how often, and the first of what breaks it. Without a count it could not be looked at. */
export type Wrong = { name: RuleName; mend: Mend; count: number | null; ids: string[] };
export type Look = { checks: number; wrong: Wrong[] };

/** So many of what breaks a rule are named. */
const namedAtMost = 20;

/**
 * Holds every rule of the market against the database (`bun run check`, and every night): rows as they are at one moment, then the storage. Writes
 * nothing, and Postgres would refuse it (decision 051). A rule that cannot be looked at counts as broken.
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

/** Those of the rules that do not hold. Nothing beside the migrations is asked of a database of another version. */
export async function brokenRules(ctx: Ctx, rules: readonly Rule[]): Promise<Wrong[]> {
  const wrong: Wrong[] = [];
  for (const rule of rules) {
    const { name, mend } = rule;
    try {
      // A look that fails ends its own savepoint, and no other look.
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

async function lookAt(tx: Ctx, { wrong }: Rule): Promise<{ count: number; ids: string[] }> {
  if (typeof wrong === 'function') {
    const ids = await wrong(tx);
    return { count: ids.length, ids: ids.slice(0, namedAtMost) };
  }
  const [row] = await tx.db.execute<{ count: number; ids: string[] }>(sql`
    with clock as (select ${tx.now().toISOString()}::timestamptz as now), wrong as materialized (${sql.raw(wrong)})
    select (select count(*)::int from wrong) as count, array(select id::text from wrong order by 1 limit ${namedAtMost}) as ids`);
  return row ?? { count: 0, ids: [] };
}

/** The timetable's part: what was found is kept with the run, for the health page, and in the log. */
export async function checkEveryNight(ctx: Ctx): Promise<Look> {
  const look = await checkMarket(ctx);
  for (const { name, count, ids } of look.wrong)
    ctx.services.log.critical('A rule of the market does not hold', { rule: name, count, ids });
  return look;
}
