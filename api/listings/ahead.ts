import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import type { Entry, Spot } from './log.ts';
import { step } from './log.ts';
import type { Lane } from './rules.ts';

export type AheadWhy = 'top' | 'up' | 'down' | 'byHand' | 'restored' | 'released' | 'preferred';
export type WentAhead = { serial: number; at: Date; why: AheadWhy };

const { queueEntries: e } = schema;
/** Same condition as the index queue_entries_ahead_idx. */
const mayGoAhead = sql`(${e.act} in ('move', 'leave', 'release') or ${e.toBand} = 0
  or ${e.reason} = 'restored') and ${schema.aheadReasons}`;

type Passing = Pick<
  Entry,
  | 'serial'
  | 'act'
  | 'reason'
  | 'productId'
  | 'fromBand'
  | 'fromPosition'
  | 'toBand'
  | 'toPosition'
  | 'at'
>;
type Stood = Spot & { serial: number };

const before = (one: Spot, other: Spot) =>
  one.band < other.band || (one.band === other.band && one.position < other.position);
const spot = (band: number | null, position: number | null) =>
  band === null || position === null ? undefined : { band, position };

/**
 * True if an entry takes a product from behind a spot, or from outside, to or past it or into a
 * slot.
 */
export function goesAhead(
  {
    act,
    fromBand,
    fromPosition,
    toBand,
    toPosition,
  }: Omit<Passing, 'serial' | 'reason' | 'productId' | 'at'>,
  of: Spot,
): boolean {
  const from = spot(fromBand, fromPosition);
  const to = spot(toBand, toPosition);
  return (!from || before(of, from)) && (act === 'leave' || (to !== undefined && !before(of, to)));
}

const why = ({ act, reason }: Passing): AheadWhy => {
  if (act === 'release') return 'released';
  return reason === 'top' ||
    reason === 'up' ||
    reason === 'down' ||
    reason === 'byHand' ||
    reason === 'restored'
    ? reason
    : 'preferred';
};

/**
 * Moves that passed the given products since they entered the lane or after entry `after`, oldest
 * first and without names (decision 056).
 */
export async function wentAhead(
  ctx: Ctx,
  queueName: Lane,
  productIds: readonly string[],
  after = 0,
): Promise<Map<string, WentAhead[]>> {
  const found = new Map<string, WentAhead[]>();
  if (productIds.length === 0) return found;
  const passing: Passing[] = await ctx.db
    .select({
      serial: e.serial,
      act: e.act,
      reason: e.reason,
      productId: e.productId,
      fromBand: e.fromBand,
      fromPosition: e.fromPosition,
      toBand: e.toBand,
      toPosition: e.toPosition,
      at: e.at,
    })
    .from(e)
    .where(
      and(
        eq(e.queueName, queueName),
        gt(e.serial, Math.max(after, await firstEntry(ctx, queueName, productIds))),
        mayGoAhead,
      ),
    )
    .orderBy(asc(e.serial));
  if (passing.length === 0) return found;
  for (const [productId, stood] of await whereTheyStood(ctx, queueName, productIds)) {
    const entered = stood[0]?.serial ?? Number.POSITIVE_INFINITY;
    const passed = passing.filter((entry) => {
      if (entry.productId === productId || entry.serial <= entered) return false;
      const at = stood.findLast(({ serial }) => serial < entry.serial);
      return at !== undefined && goesAhead(entry, at);
    });
    found.set(
      productId,
      passed.map((entry) => ({ serial: entry.serial, at: entry.at, why: why(entry) })),
    );
  }
  return found;
}

async function firstEntry(
  { db }: Ctx,
  queueName: Lane,
  productIds: readonly string[],
): Promise<number> {
  const rows = await db
    .select({ serial: sql<number>`max(${e.serial})::int` })
    .from(e)
    .where(
      and(eq(e.queueName, queueName), inArray(e.productId, [...productIds]), eq(e.act, 'enter')),
    )
    .groupBy(e.productId);
  return rows.length < productIds.length ? 0 : Math.min(...rows.map(({ serial }) => serial));
}

async function whereTheyStood(
  { db }: Ctx,
  queueName: Lane,
  productIds: readonly string[],
): Promise<Map<string, Stood[]>> {
  const own = await db
    .select({
      productId: e.productId,
      serial: e.serial,
      act: e.act,
      band: e.toBand,
      position: e.toPosition,
    })
    .from(e)
    .where(
      and(
        eq(e.queueName, queueName),
        inArray(e.productId, [...productIds]),
        inArray(e.act, ['enter', 'move']),
      ),
    );
  const ids = sql.param([...productIds]);
  const spread = await db.execute<{
    productId: string;
    serial: number;
    place: number;
    front: number;
  }>(sql`
    select p.id as "productId", ${e.serial} as serial, ${e.front} as front, array_position(${e.line}, p.id) as place
    from ${e} cross join unnest(${ids}::uuid[]) as p (id)
    where ${e.queueName} = ${queueName} and ${e.act} = 'order' and array_position(${e.line}, p.id) is not null`);
  const stood = new Map<string, (Stood & { enters: boolean })[]>(productIds.map((id) => [id, []]));
  for (const { productId, act, band, position, serial } of own)
    if (productId && band !== null && position !== null)
      stood.get(productId)?.push({ serial, band, position, enters: act === 'enter' });
  for (const { productId, serial, place, front } of spread)
    stood
      .get(productId)
      ?.push({ serial, band: place <= front ? 0 : 1, position: place * step, enters: false });
  return new Map(
    [...stood].map(([id, places]) => {
      const inOrder = places.sort((a, b) => a.serial - b.serial);
      return [
        id,
        inOrder.slice(
          Math.max(
            0,
            inOrder.findLastIndex(({ enters }) => enters),
          ),
        ),
      ];
    }),
  );
}
