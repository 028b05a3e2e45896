import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction, lockNamed } from '../core/transaction.ts';
import { notify } from '../people/notify.ts';

const batchMs = 15 * 60_000;

type Work = { pending: number; reports: number; purchases: number; latest: Date | null };

/**
 * Notifies admins in their chats of new waiting work, at most every 15 minutes. Without a second
 * factor a chat no longer acts for the account.
 */
export async function tellAdmins(ctx: Ctx): Promise<{ told: number }> {
  requireAdmin(ctx);
  const work = await workOf(ctx);
  const { latest, ...counts } = work;
  if (!latest) return { told: 0 };
  const { user, secondFactors: f, outbox } = schema;
  return inTransaction(ctx, async (tx) => {
    await lockNamed(tx, 'admin-news');
    const admins = await tx.db
      .select({ id: user.id })
      .from(user)
      .innerJoin(f, and(eq(f.userId, user.id), isNotNull(f.confirmedAt)))
      .where(eq(user.role, 'admin'));
    let told = 0;
    for (const { id } of admins) {
      const [last] = await tx.db
        .select({ at: outbox.createdAt })
        .from(outbox)
        .where(and(eq(outbox.userId, id), eq(outbox.kind, 'adminNews')))
        .orderBy(desc(outbox.createdAt))
        .limit(1);
      if (last && (latest <= last.at || tx.now().getTime() - last.at.getTime() < batchMs)) continue;
      const waiting = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
      told += (await notify(tx, { userId: id }, 'adminNews', waiting)).length;
    }
    return { told };
  });
}

async function workOf({ db }: Ctx): Promise<Work> {
  const [row] = await db.execute<{
    pending: number;
    reports: number;
    purchases: number;
    latest: string | null;
  }>(sql`
    with pending as (select count(*)::int as count, max(updated_at) as latest from products
      where status = 'pending' and removed_at is null and withdrawn_at is null),
      edits as (select count(*)::int as count, max(submitted_at) as latest from product_edits),
      reported as (select count(distinct coalesce(product_id, seller_id))::int as count, max(created_at) as latest
        from reports where resolved_at is null),
      posts as (select count(distinct post_id)::int as count, max(created_at) as latest
        from connect_reports where resolved_at is null),
      bought as (select count(*)::int as count, max(created_at) as latest from purchases
        where status = 'pending' and purchase_method = 'cash_partner')
    select pending.count + edits.count as pending, reported.count + posts.count as reports, bought.count as purchases,
      greatest(pending.latest, edits.latest, reported.latest, posts.latest, bought.latest) as latest
    from pending, edits, reported, posts, bought`);
  const { latest = null, ...counts } = row ?? { pending: 0, reports: 0, purchases: 0 };
  return { ...counts, latest: latest === null ? null : new Date(latest) };
}
