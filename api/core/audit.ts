import { schema } from '../../db/client.ts';
import { type Ctx, inChat, userIdOf } from './context.ts';
import { redactForAdmins } from './redact.ts';

export type AuditEntry = {
  action: string;
  subjectKind: 'product' | 'slot' | 'seller' | 'queue' | 'settings' | 'user' | 'report' | 'job' | 'address';
  subjectId: string | null;
  before?: unknown;
  after?: unknown;
};

/** Writes one line of the audit log, in the transaction of the action itself, so that neither exists without the other (product R32). */
export async function audit(ctx: Ctx, entry: AuditEntry): Promise<void> {
  const { actor } = ctx;
  await ctx.db.insert(schema.auditLog).values({
    at: ctx.now(),
    actorKind: actor.kind,
    actorId: userIdOf(actor) ?? (inChat(ctx) ? ctx.client.visitor : null),
    actorName: 'name' in actor ? actor.name : null,
    via: ctx.via,
    action: entry.action,
    subjectKind: entry.subjectKind,
    subjectId: entry.subjectId,
    before: entry.before === undefined ? null : redactForAdmins(entry.before),
    after: entry.after === undefined ? null : redactForAdmins(entry.after),
    requestId: ctx.requestId,
  });
}
