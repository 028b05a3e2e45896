import { and, desc, eq, gte, ilike, lt, or, type SQL, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { totalOf } from '../core/counts.ts';
import { namesIn, subjectOf } from './names.ts';

/** `actor` is an id or part of a name; days are in Africa/Douala, both included. */
export type AuditFilter = {
  actor?: string | undefined;
  action?: string | undefined;
  subjectKind?: string | undefined;
  subjectId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

/** A page of the audit log, newest first (product R32). */
export async function auditEntries(
  ctx: Ctx,
  { page = 1, pageSize = 50, ...filter }: AuditFilter & { page?: number; pageSize?: number } = {},
) {
  requireAdmin(ctx);
  const { auditLog: log } = schema;
  const wanted = conditions(filter);
  const rows = await ctx.db
    .select()
    .from(log)
    .where(wanted)
    .orderBy(desc(log.at), desc(log.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  const total = await totalOf(
    ctx,
    { table: log, where: wanted },
    { shown: rows.length, page, pageSize },
  );
  const names = await namesIn(ctx, rows);
  return {
    total,
    page,
    pageSize,
    /** Names of the ids in before and after. */
    names,
    entries: rows.map((row) => {
      const { subjectName: _, ...entry } = row;
      return { ...entry, subject: subjectOf(row, names, ctx.language), at: row.at.toISOString() };
    }),
  };
}

function conditions({
  actor,
  action,
  subjectKind,
  subjectId,
  from,
  to,
}: AuditFilter): SQL | undefined {
  const { auditLog: log } = schema;
  const midnight = (day: string, plus = 0) =>
    sql`((${day}::date + ${plus}::int)::timestamp at time zone 'Africa/Douala')`;
  return and(
    actor
      ? or(eq(log.actorId, actor), ilike(log.actorName, `%${actor.replaceAll(/[\\%_]/g, '\\$&')}%`))
      : undefined,
    action ? eq(log.action, action) : undefined,
    subjectKind ? eq(log.subjectKind, subjectKind) : undefined,
    subjectId ? eq(log.subjectId, subjectId) : undefined,
    from ? gte(log.at, midnight(from)) : undefined,
    to ? lt(log.at, midnight(to, 1)) : undefined,
  );
}
