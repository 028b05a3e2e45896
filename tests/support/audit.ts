import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { TestApp } from './app.ts';

const { auditLog } = schema;

export function auditLines({ db }: Pick<TestApp, 'db'>, action?: string) {
  return db
    .select()
    .from(auditLog)
    .where(action === undefined ? undefined : eq(auditLog.action, action))
    .orderBy(auditLog.id);
}

export const lastAudit = async (market: Pick<TestApp, 'db'>) => (await auditLines(market)).at(-1);

/** Empties the log around its triggers, to show that a verb does not depend on it. */
export function emptyAuditLog({ sql }: Pick<TestApp, 'sql'>) {
  return sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`delete from audit_log`;
  });
}
