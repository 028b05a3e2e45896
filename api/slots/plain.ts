import { and, asc, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { outageOf, postgresCode, schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { slotCount } from '../shared/slots.ts';
import { type HomepageSlot, homepageProducts, presentSlot, type Row } from './reads.ts';
import { homepageSlot, homepageSlots } from './schema.ts';

/** Cap of views and shares in the fallback read (product §5). */
const mostCounted = 999_999;
const statementTimeout = '57014';

/**
 * The slots for the grid: {@link homepageProducts}, or a plainer read if that fails or breaks
 * its schema (decision 024).
 */
export async function gridProducts(ctx: Ctx): Promise<{ slots: HomepageSlot[]; plain: boolean }> {
  try {
    const slots = await homepageProducts(ctx);
    homepageSlots.parse(slots);
    return { slots, plain: false };
  } catch (error) {
    // An unreachable database fails both reads; after a statement timeout the plainer one may still
    // work.
    if (outageOf(error) && postgresCode(error) !== statementTimeout) throw error;
    report(ctx, error);
  }
  return { slots: await plainProducts(ctx), plain: true };
}

/** At most one report per process in this time: every page load comes here. */
const quietMs = 600_000;
const reported = new WeakMap<Ctx['services'], number>();

function report({ services, requestId, now }: Ctx, error: unknown): void {
  const at = now().getTime();
  // `abs`: a clock set back must not silence the next hours.
  if (Math.abs(at - (reported.get(services) ?? 0)) < quietMs) return;
  reported.set(services, at);
  services.reporter.report({
    source: 'server',
    kind: 'error',
    message: 'The market’s first read failed: the plainer read serves the grid',
    requestId,
    extra: { error },
  });
}

/** Empty slot, and the columns that the plainer read leaves out. */
const nothing: Omit<Row, 'slotId'> = {
  active: false,
  isFeatured: false,
  productId: null,
  startTime: null,
  endTime: null,
  reputationScore: 0,
  pausedAt: null,
  views: 0,
  clicks: 0,
  messageTaps: 0,
  shares: 0,
  name: null,
  description: null,
  images: null,
  price: null,
  city: null,
  region: null,
  regionCode: null,
  businessName: null,
  category: null,
  condition: null,
  slug: null,
  preferredFeaturedSlot: null,
  status: null,
  verifiedBy: null,
  verifiedWhatsapp: null,
  listing: null,
  profile: null,
};

/**
 * Active approved slots with an end to come (product §7), and not paused: a paused slot's end is a
 * century ahead. Featured first, then the empty ones.
 */
async function plainProducts(ctx: Ctx): Promise<HomepageSlot[]> {
  const { slots, products } = schema;
  const now = ctx.now();
  const rows = await ctx.db
    .select({
      slotId: slots.id,
      active: slots.active,
      isFeatured: slots.isFeatured,
      productId: slots.productId,
      startTime: slots.startTime,
      endTime: slots.endTime,
      name: products.name,
      description: products.description,
      images: products.images,
      price: products.price,
      city: products.city,
      region: products.region,
      regionCode: products.regionCode,
      businessName: products.businessName,
      slug: products.slug,
      preferredFeaturedSlot: products.preferredFeaturedSlot,
      status: products.status,
    })
    .from(slots)
    .innerJoin(products, eq(products.id, slots.productId))
    .where(
      and(
        slots.active,
        isNull(slots.pausedAt),
        gt(slots.endTime, now),
        eq(products.status, 'approved'),
        isNull(products.removedAt),
      ),
    )
    .orderBy(desc(slots.isFeatured), asc(slots.id))
    .limit(slotCount);
  const figures = await figuresOf(ctx);
  const shown = rows.flatMap((row) =>
    presentable({ ...nothing, ...row, ...figures.get(row.slotId) }, now),
  );
  const taken = new Set(shown.map(({ slot_id }) => slot_id));
  const empty = Array.from({ length: slotCount }, (_, n) => n + 1).filter((id) => !taken.has(id));
  return [...shown, ...empty.map((slotId) => presentSlot({ ...nothing, slotId }, now))];
}

/** Empty for a broken row, so that it does not take down the market. */
function presentable(row: Row, now: Date): HomepageSlot[] {
  try {
    const slot = presentSlot(row, now);
    return homepageSlot.safeParse(slot).success ? [slot] : [];
  } catch {
    return [];
  }
}

type Figures = Pick<Row, 'views' | 'clicks' | 'messageTaps' | 'shares'>;

/** Engagement; empty if unreadable, so that products still show. */
async function figuresOf({ db }: Ctx): Promise<Map<number, Figures>> {
  const { slotEngagement: e } = schema;
  const capped = (column: typeof e.views | typeof e.shares) =>
    sql<number>`least(${column}, ${mostCounted})::int`;
  const rows = await db
    .select({
      slotId: e.slotId,
      views: capped(e.views),
      clicks: e.clicks,
      messageTaps: e.messageTaps,
      shares: capped(e.shares),
    })
    .from(e)
    .catch(() => []);
  return new Map(rows.map(({ slotId, ...figures }) => [slotId, figures]));
}
