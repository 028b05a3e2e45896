import { and, asc, eq, gt } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { type ChainFault, faultsAt, missingBetween, provingKey } from '../core/chain.ts';
import type { Ctx } from '../core/context.ts';
import { atOneMoment } from '../core/transaction.ts';
import { type Entry, hashOf, type Spot, step } from '../listings/log.ts';
import type { Lane } from '../listings/rules.ts';

/**
 * What is wrong with a lane: an entry of its log (`displaced`: it names a place where the product did not stand), where the log ends (`log`), a product that
 * waits elsewhere than the log says, or not at all, or unknown to it (`place`), or that is passed over and should not be, or the other way about (`held`).
 */
export type QueueFault = {
  queueName: Lane;
  entry: number | null;
  productId: string | null;
  what: ChainFault['what'] | 'displaced' | 'log' | 'place' | 'held';
};

/** A lane as its entries make it: where each product stands, and which are passed over. */
type Line = { places: Map<string, Spot>; held: Set<string> };
type Said = Pick<
  Entry,
  | 'act'
  | 'reason'
  | 'productId'
  | 'fromBand'
  | 'fromPosition'
  | 'toBand'
  | 'toPosition'
  | 'line'
  | 'front'
>;

const same = (one: Spot | undefined, band: number | null, position: number | null) =>
  one?.band === band && one?.position === position;

/** Carries out one entry, as Postgres does. Answers whether it names the place where the product stood. */
function replay(
  { places, held }: Line,
  { act, reason, productId, fromBand, fromPosition, toBand, toPosition, line, front }: Said,
): boolean {
  if (act === 'order' && line) {
    const stood = [...places]
      .sort(([, a], [, b]) => a.band - b.band || a.position - b.position)
      .map(([id]) => id);
    places.clear();
    for (const [index, id] of line.entries())
      places.set(id, { band: index < (front ?? 0) ? 0 : 1, position: (index + 1) * step });
    return (
      reason === 'opened' ||
      (stood.length === line.length && stood.every((id, index) => id === line[index]))
    );
  }
  if (productId === null) return false;
  const stood = places.get(productId);
  if (act === 'release') {
    held.delete(productId);
    return same(stood, toBand, toPosition);
  }
  if (act === 'hold') held.add(productId);
  if (act === 'leave') {
    places.delete(productId);
    held.delete(productId);
  }
  if ((act === 'enter' || act === 'move') && toBand !== null && toPosition !== null)
    places.set(productId, { band: toBand, position: toPosition });
  // One that was lost from its queue is put back by an entry of its own.
  return act === 'enter'
    ? stood === undefined || reason === 'synced'
    : same(stood, fromBand, fromPosition);
}

const entriesAtOnce = 1000;

type Walk = { entries: number; waiting: number; faults: QueueFault[] };

/** Walks the logs of both lanes at one moment and replays them: names each entry that was changed or is missing, and whoever does not wait as they say. */
export const verifyQueue = (ctx: Ctx): Promise<Walk> => atOneMoment(ctx, walkQueue);

/** The same within a transaction that sees one moment. */
export async function walkQueue(tx: Ctx): Promise<Walk> {
  const sum: Walk = { entries: 0, waiting: 0, faults: [] };
  for (const queueName of schema.queueNames) {
    const line: Line = { places: new Map(), held: new Set() };
    const { entries, faults } = await walk(tx, queueName, line);
    const { waiting, faults: elsewhere } = await compare(tx, queueName, line);
    sum.entries += entries;
    sum.waiting += waiting;
    sum.faults.push(...faults, ...elsewhere);
  }
  return sum;
}

async function walk(
  tx: Ctx,
  queueName: Lane,
  line: Line,
): Promise<{ entries: number; faults: QueueFault[] }> {
  const { queueEntries: e, queueLogs: l } = schema;
  const key = await provingKey(tx, 'queue');
  const faults: QueueFault[] = [];
  let entries = 0;
  let last = { serial: 0, hash: '' };
  for (let more = true; more; ) {
    const rows = await tx.db
      .select()
      .from(e)
      .where(and(eq(e.queueName, queueName), gt(e.serial, last.serial)))
      .orderBy(asc(e.serial))
      .limit(entriesAtOnce);
    for (const entry of rows) {
      const { productId } = entry;
      const found = faultsAt(last, entry, hashOf(key, entry)).map(
        ({ serial, what }): QueueFault => ({ queueName, entry: serial, productId, what }),
      );
      if (!replay(line, entry) && found.length === 0)
        found.push({ queueName, entry: entry.serial, productId, what: 'displaced' });
      faults.push(...found);
      last = entry;
    }
    entries += rows.length;
    more = rows.length === entriesAtOnce;
  }
  const [log] = await tx.db.select().from(l).where(eq(l.queueName, queueName));
  const count = log?.entries ?? 0;
  for (const { serial, what } of missingBetween(last.serial, count + 1))
    faults.push({ queueName, entry: serial, productId: null, what });
  if (count < last.serial || (count === last.serial && (log?.head ?? '') !== last.hash))
    faults.push({ queueName, entry: null, productId: null, what: 'log' });
  return { entries, faults };
}

/** The lane as it is, beside the lane as its log makes it. */
async function compare(
  tx: Ctx,
  queueName: Lane,
  { places, held }: Line,
): Promise<{ waiting: number; faults: QueueFault[] }> {
  const { queueItems: q, products, sellers } = schema;
  const rows = await tx.db
    .select({
      productId: q.productId,
      band: q.band,
      position: q.position,
      suspended: sellers.suspended,
    })
    .from(q)
    .innerJoin(products, eq(products.id, q.productId))
    .leftJoin(sellers, eq(sellers.id, products.sellerId))
    .where(eq(q.queueName, queueName));
  const faults: QueueFault[] = [];
  for (const { productId, band, position, suspended } of rows) {
    if (!same(places.get(productId), band, position))
      faults.push({ queueName, entry: null, productId, what: 'place' });
    else if ((suspended ?? false) !== held.has(productId))
      faults.push({ queueName, entry: null, productId, what: 'held' });
    places.delete(productId);
  }
  for (const productId of places.keys())
    faults.push({ queueName, entry: null, productId, what: 'place' });
  return { waiting: rows.length, faults };
}
