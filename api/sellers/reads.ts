import { and, asc, desc, eq, ilike, inArray, or, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { totalOf } from '../core/counts.ts';
import { hasChat } from '../people/chats.ts';
import { readSettings } from '../settings/values.ts';
import { readPhone } from '../shared/contact/readPhone.ts';
import { Refusal } from '../shared/errors.ts';
import { notificationKind } from './notify.ts';
import { standingOf } from './rules.ts';

/**
 * Pages through sellers, newest first, found by name, email (product §2, §7) or number. Admins only:
 * addresses and numbers. Without pg_trgm (db/migrations), or for one or two letters, the search
 * scans the table: milliseconds for 10,000 sellers.
 */
export async function listSellers(ctx: Ctx, { page = 1, pageSize = 50, search = '' } = {}) {
  requireAdmin(ctx);
  const { sellers, user } = schema;
  const pattern = `%${search.trim().replaceAll(/[\\%_]/g, '\\$&')}%`;
  const number = readPhone(search);
  const wanted = search.trim()
    ? or(
        ilike(sellers.name, pattern),
        ilike(sellers.email, pattern),
        number ? or(eq(sellers.whatsapp, number), eq(sellers.verifiedWhatsapp, number)) : undefined,
      )
    : undefined;
  const rows = await ctx.db
    .select({ seller: sellers, language: user.language, role: user.role })
    .from(sellers)
    .leftJoin(user, eq(user.id, sellers.userId))
    .where(wanted)
    .orderBy(desc(sellers.createdAt), asc(sellers.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  const counts = await productCounts(
    ctx,
    rows.map(({ seller }) => seller.id),
  );
  return {
    total: await totalOf(
      ctx,
      { table: sellers, where: wanted },
      { shown: rows.length, page, pageSize },
    ),
    page,
    pageSize,
    sellers: rows.map(({ seller, language, role }) => ({
      id: seller.id,
      name: seller.name,
      email: seller.email,
      whatsapp: seller.whatsapp,
      location: seller.location,
      region: seller.region,
      businessName: seller.businessName,
      ...standingOf(seller),
      verifiedBy: seller.verifiedBy,
      suspended: seller.suspended,
      suspendedReason: seller.suspendedReason,
      suspendedAt: seller.suspendedAt?.toISOString() ?? null,
      leavingAt: seller.leavingAt?.toISOString() ?? null,
      createdAt: seller.createdAt.toISOString(),
      language: language ?? ('en' as const),
      /** An admin may give a code that links a chat to it. */
      mayLinkChat: role === 'member' && hasChat(ctx.services.env),
      products: counts.get(seller.id) ?? { total: 0, pending: 0, queued: 0, live: 0 },
    })),
  };
}

/** `total` is what a deletion deletes. */
async function productCounts(ctx: Ctx, sellerIds: string[]) {
  if (sellerIds.length === 0)
    return new Map<string, { total: number; pending: number; queued: number; live: number }>();
  const { products: p, slots, queueItems } = schema;
  const rows = await ctx.db
    .select({
      sellerId: p.sellerId,
      total: sql<number>`count(*)::int`,
      pending: sql<number>`count(*) filter (where ${p.status} = 'pending'
        and ${p.withdrawnAt} is null and ${p.removedAt} is null)::int`,
      queued: sql<number>`count(${queueItems.id})::int`,
      live: sql<number>`count(${slots.id})::int`,
    })
    .from(p)
    .leftJoin(slots, eq(slots.productId, p.id))
    .leftJoin(queueItems, eq(queueItems.productId, p.id))
    .where(inArray(p.sellerId, sellerIds))
    .groupBy(p.sellerId);
  return new Map(rows.map(({ sellerId, ...counts }) => [sellerId ?? '', counts]));
}

/** Pages through barred addresses, newest first (product R20). */
export async function barredAddresses(ctx: Ctx, { page = 1, pageSize = 50 } = {}) {
  requireAdmin(ctx);
  const { barredEmails: b, user } = schema;
  const rows = await ctx.db
    .select({ email: b.email, barredAt: b.barredAt, by: user.name })
    .from(b)
    .leftJoin(user, eq(user.id, b.barredBy))
    .orderBy(desc(b.barredAt), asc(b.email))
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  const total = await totalOf(
    ctx,
    { table: b, where: undefined },
    { shown: rows.length, page, pageSize },
  );
  return {
    total,
    page,
    pageSize,
    addresses: rows.map(({ barredAt, ...row }) => ({ ...row, barredAt: barredAt.toISOString() })),
  };
}

/**
 * Delivery state of a notification: 'sent' only once a channel accepted it (product R25). Refuses
 * `notFound`.
 */
export async function notificationState(ctx: Ctx, outboxId: string) {
  requireAdmin(ctx);
  const { outbox: o } = schema;
  const [row] = await ctx.db
    .select({
      id: o.id,
      state: o.state,
      channel: o.channel,
      attempts: o.attempts,
      lastError: o.lastError,
      sentAt: o.sentAt,
    })
    .from(o)
    .where(and(eq(o.id, outboxId), eq(o.kind, notificationKind)));
  if (!row) throw new Refusal('notFound');
  // What is held for a stopped chat has not been sent.
  const state = row.state === 'held' ? 'waiting' : row.state;
  return { ...row, state, sentAt: row.sentAt?.toISOString() ?? null };
}

/**
 * Operator's contact for a suspended seller: the set email, else WhatsApp (E.164), else neither.
 */
export async function teamContact(
  ctx: Ctx,
): Promise<{ email: string | null; whatsapp: string | null }> {
  const { contactEmail, contactNumber } = await readSettings(ctx, [
    'contactEmail',
    'contactNumber',
  ]);
  return { email: contactEmail || null, whatsapp: contactEmail ? null : contactNumber || null };
}
