import { and, asc, count, desc, eq, gt, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { isAhead, laneOutlook, suspendedIn } from '../listings/positions.ts';
import { estimateAt, type Lane, usualHoursPerPlace } from '../listings/rules.ts';
import { presentImage } from '../uploads/present.ts';
import { restorableMs } from './restore.ts';
import { pageSize } from './schema.ts';

/** As specified (product §9). */
const processingRatePerDay = 12;

const ordered = (queueName: Lane) => ({
  where: eq(schema.queueItems.queueName, queueName),
  order: [asc(schema.queueItems.band), asc(schema.queueItems.position)],
});

export async function waitingByLane({ db }: Pick<Ctx, 'db'>): Promise<Record<Lane, number>> {
  const { queueItems: q } = schema;
  const rows = await db
    .select({ queueName: q.queueName, count: count() })
    .from(q)
    .groupBy(q.queueName);
  const of = (lane: Lane) => rows.find(({ queueName }) => queueName === lane)?.count ?? 0;
  return { 'queue:featured': of('queue:featured'), 'queue:regular': of('queue:regular') };
}

/** Queue size of the dashboard (product R28). */
export async function queueSize(ctx: Ctx): Promise<number> {
  return Object.values(await waitingByLane(ctx)).reduce((sum, waiting) => sum + waiting, 0);
}

/** redis_queue_length (product §7). */
export async function queueLength(ctx: Ctx, queueName: Lane): Promise<number> {
  requireAdmin(ctx);
  return (await waitingByLane(ctx))[queueName];
}

/**
 * Page of a lane (product §2 /admin/queue; product R13, R17). `ahead` and `behind` are the
 * neighbours a move names in `past`. Contains sellers' names: admins only.
 */
export async function queuePageOf(
  ctx: Ctx,
  { queueName, page = 1 }: { queueName: Lane; page?: number },
) {
  requireAdmin(ctx);
  const { queueItems: q, products, sellers } = schema;
  const { where, order } = ordered(queueName);
  const offset = (page - 1) * pageSize;
  // One more item on either side, for the neighbours.
  const from = Math.max(0, offset - 1);
  const span = await ctx.db
    .select({ id: q.id, productId: q.productId })
    .from(q)
    .where(where)
    .orderBy(...order)
    .offset(from)
    .limit(pageSize + (offset > 0 ? 2 : 1));
  const start = offset - from;
  const shown = span.slice(start, start + pageSize);
  const rows = shown.length
    ? await ctx.db
        .select({
          item: q,
          product: products,
          sellerName: sellers.name,
          suspended: sellers.suspended,
        })
        .from(q)
        .innerJoin(products, eq(products.id, q.productId))
        .leftJoin(sellers, eq(sellers.id, products.sellerId))
        .where(
          inArray(
            q.id,
            shown.map((row) => row.id),
          ),
        )
        .orderBy(...order)
    : [];
  const { ends, empty, roundHours } = await laneOutlook(ctx, queueName);
  const now = ctx.now();
  // Suspended sellers' products are passed over, so those behind come up earlier.
  const first = rows[0]?.item;
  let turn =
    offset -
    (first ? (await suspendedIn(ctx, queueName)).filter((item) => isAhead(item, first)).length : 0);
  return {
    queueName,
    total: await queueLength(ctx, queueName),
    page,
    pageSize,
    items: rows.map(({ item, product, sellerName, suspended }, index) => {
      if (!suspended) turn++;
      const position = offset + index + 1;
      return {
        productId: item.productId,
        position,
        priority: queueName === 'queue:featured' ? ('featured' as const) : ('normal' as const),
        preferredSlot: product.preferredFeaturedSlot,
        /** Time left of a listing put back from a slot; otherwise the product's duration counts. */
        remainingSeconds: item.remainingSeconds,
        queuedAt: item.queuedAt.toISOString(),
        estimateAt: suspended
          ? null
          : (estimateAt(turn, ends, empty, now, roundHours)?.toISOString() ?? null),
        /** Specified estimate (product §9). */
        usualHours: position * usualHoursPerPlace[queueName],
        ahead: span[start + index - 1]?.productId ?? null,
        behind: span[start + index + 1]?.productId ?? null,
        product: {
          slug: product.slug,
          name: product.name,
          image: product.images[0] ? presentImage(product.images[0]) : null,
          price: product.price,
          listingType: product.listingType,
          durationSeconds: product.durationSeconds,
        },
        seller: {
          id: product.sellerId,
          name: product.sellerName ?? sellerName,
          suspended: suspended ?? false,
        },
      };
    }),
  };
}

const measuredDays = { wait: 30, rate: 7 };

/**
 * Stat cards of the queue (product §2; product R17, R28): specified figures beside measured ones,
 * null if nothing was measured. Waits are from entering the queue to the slot, over 30 days and
 * every listing, except those an admin queued again; the rate is over 7 days.
 */
export async function queueStats(ctx: Ctx) {
  requireAdmin(ctx);
  const { listings, queueEntries } = schema;
  const now = ctx.now().getTime();
  const since = (days: number) => new Date(now - days * 86_400_000);
  // The log knows every listing's wait; `approved_at` only that of a product's last approval.
  const [wait] = await ctx.db.execute<{ count: number; hours: number | null }>(sql`
    select count(*)::int as count,
      (avg(extract(epoch from l.started_at - entered.at)) / 3600)::float8 as hours
    from ${listings} l
    cross join lateral (
      select e.at, e.reason from ${queueEntries} e
      where e.product_id = l.product_id and e.act = 'enter' and e.at <= l.started_at
      order by e.serial desc limit 1) entered
    where l.started_at > ${since(measuredDays.wait).toISOString()}::timestamptz
      and entered.reason in ('approved', 'listed', 'relisted')`);
  const [started] = await ctx.db
    .select({
      count: sql<number>`count(*)::int`,
      first: sql<string | null>`min(${listings.startedAt})`,
    })
    .from(listings)
    .where(gt(listings.startedAt, since(measuredDays.rate)));
  const [earlier] = await ctx.db
    .select({ id: listings.id })
    .from(listings)
    .where(lt(listings.startedAt, since(measuredDays.rate)))
    .orderBy(asc(listings.startedAt))
    .limit(1);
  // A market younger than a week is measured over its age, at least a day.
  const age = started?.first ? (now - new Date(started.first).getTime()) / 86_400_000 : 0;
  const days = earlier ? measuredDays.rate : Math.min(measuredDays.rate, Math.max(1, age));
  const waiting = await waitingByLane(ctx);
  return {
    averageWait: {
      usualHoursPerPlace,
      measuredHours: wait?.count ? Math.round((wait.hours ?? 0) * 100) / 100 : null,
      measuredListings: wait?.count ?? 0,
      measuredDays: measuredDays.wait,
    },
    processingRate: {
      perDay: processingRatePerDay,
      measuredPerDay: started?.count ? Math.round((started.count / days) * 10) / 10 : null,
      measuredDays: measuredDays.rate,
    },
    priorityItems: waiting['queue:featured'],
    waiting,
  };
}

const longestList = 100;

/** Removed products that can still be restored, newest first (product R16). */
export async function removedProducts(ctx: Ctx) {
  requireAdmin(ctx);
  const { products, sellers } = schema;
  const rows = await ctx.db
    .select({ product: products, sellerName: sellers.name })
    .from(products)
    .leftJoin(sellers, eq(sellers.id, products.sellerId))
    .where(
      and(
        isNotNull(products.removedAt),
        gt(products.removedAt, new Date(ctx.now().getTime() - restorableMs)),
      ),
    )
    .orderBy(desc(products.removedAt), asc(products.id))
    .limit(longestList);
  return rows.flatMap(({ product, sellerName }) =>
    product.removedAt
      ? [
          {
            id: product.id,
            name: product.name,
            image: product.images[0] ? presentImage(product.images[0]) : null,
            status: product.status,
            listingType: product.listingType,
            sellerName: product.sellerName ?? sellerName,
            removedAt: product.removedAt.toISOString(),
            restorableUntil: new Date(product.removedAt.getTime() + restorableMs).toISOString(),
          },
        ]
      : [],
  );
}
