import { and, desc, isNotNull, isNull, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { alarmWords, runbookPath } from './tell.ts';

const shownOver = 10;

/** Open alarms, newest first, then the last that ended. */
export async function alarmReport(ctx: Ctx) {
  requireAdmin(ctx);
  const { alarms: a } = schema;
  const open = await ctx.db
    .select()
    .from(a)
    .where(and(isNull(a.overAt), isNotNull(a.beganAt)))
    .orderBy(desc(a.beganAt));
  const over = await ctx.db
    .select()
    .from(a)
    .where(isNotNull(a.overAt))
    .orderBy(desc(a.overAt), sql`${a.id} desc`)
    .limit(shownOver);
  return [...open, ...over].map(({ id, kind, subject, figures, beganAt, since, overAt }) => ({
    id,
    kind,
    ...alarmWords({ kind, subject, figures }, ctx.language),
    beganAt: (beganAt ?? since).toISOString(),
    overAt: overAt?.toISOString() ?? null,
    runbook: `/${runbookPath(kind)}`,
  }));
}
