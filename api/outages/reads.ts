import { desc, eq, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { durationIn } from '../shared/format.ts';

const shown = 5;

/** Undecided outages first, then the newest (decision 055). */
export async function lastOutages(ctx: Ctx) {
  requireAdmin(ctx);
  const { outages: o } = schema;
  const rows = await ctx.db
    .select({
      id: o.id,
      fromAt: o.fromAt,
      untilAt: o.untilAt,
      givenSeconds: o.givenSeconds,
      restSeconds: o.restSeconds,
      decision: o.decision,
      listings: sql<number>`jsonb_array_length(${o.shares})`,
    })
    .from(o)
    .orderBy(desc(sql`(${eq(o.decision, 'waiting')}) is true`), desc(o.id))
    .limit(shown);
  return {
    outages: rows.map(({ fromAt, untilAt, givenSeconds, restSeconds, ...row }) => ({
      ...row,
      from: fromAt.toISOString(),
      until: untilAt.toISOString(),
      given: durationIn(givenSeconds, ctx.language),
      rest: restSeconds > 0 ? durationIn(restSeconds, ctx.language) : null,
    })),
  };
}
