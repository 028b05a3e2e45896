import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { subjectKinds } from '../../db/vocabularies.ts';
import type { Bilingual } from '../../locales/languages.ts';
import { redactForAdmins } from '../shared/redact.ts';
import { isUuid } from '../shared/text.ts';
import { type Ctx, inChat, userIdOf } from './context.ts';

export type AuditEntry = {
  action: string;
  subjectKind: (typeof subjectKinds)[number];
  subjectId: string | null;
  before?: unknown;
  after?: unknown;
};

/**
 * Writes an audit entry in the action's transaction, so that neither exists alone (product R32).
 */
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
    subjectName: await nameOf(ctx, entry),
    before: entry.before === undefined ? null : redactForAdmins(entry.before),
    after: entry.after === undefined ? null : redactForAdmins(entry.after),
    requestId: ctx.requestId,
  });
}

async function nameOf(
  { db }: Ctx,
  { subjectKind, subjectId }: AuditEntry,
): Promise<Bilingual | null> {
  const { products, sellers, user, connectPosts } = schema;
  if (subjectId === null) return null;
  const named = async (rows: PromiseLike<{ name: Bilingual | null }[]>) =>
    (await rows)[0]?.name ?? null;
  if (subjectKind === 'user')
    return named(db.select({ name: user.name }).from(user).where(eq(user.id, subjectId)));
  if (!isUuid(subjectId)) return null;
  if (subjectKind === 'seller')
    return named(db.select({ name: sellers.name }).from(sellers).where(eq(sellers.id, subjectId)));
  if (subjectKind === 'post')
    return named(
      db
        .select({ name: connectPosts.title })
        .from(connectPosts)
        .where(eq(connectPosts.id, subjectId)),
    );
  // A report's subject id is its product's.
  if (subjectKind === 'product' || subjectKind === 'report')
    return named(
      db.select({ name: products.name }).from(products).where(eq(products.id, subjectId)),
    );
  return null;
}
