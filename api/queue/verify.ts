import { and, asc, eq, gt } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { queueNames } from '../../db/vocabularies.ts';
import { type ChainFault, faultsAt, missingBetween, provingKey } from '../core/chain.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { atOneMoment } from '../core/transaction.ts';
import { type Entry, hashOf, type Spot, step } from '../listings/log.ts';
import type { Lane } from '../listings/rules.ts';

/**
 * Fault of a lane: `displaced`, an entry names a place where the product was not; `log`, the log's
 * end is wrong; `place`, a product waits elsewhere than its log has it, or only in one of them;
 * `held`, wrongly passed over or not.
 */
export type QueueFault = {
  queueName: Lane;
  entry: number | null;
  productId: string | null;
  what: ChainFault['what'] | 'displaced' | 'log' | 'place' | 'held';
};

/** Lane as its entries make it. */
type LaneState = { places: Map<string, Spot>; held: Set<string> };
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

/** Applies an entry as Postgres does; false if it names the wrong old place. */
function replay(
  { places, held }: LaneState,
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
  // `synced` puts back a product that was lost from its queue.
  return act === 'enter'
    ? stood === undefined || reason === 'synced'
    : same(stood, fromBand, fromPosition);
}

const entriesAtOnce = 1000;

type Walk = { entries: number; waiting: number; faults: QueueFault[] };

/**
 * Replays both lanes' logs at one moment: reports changed and missing entries, and products that do
 * not wait as logged.
 */
export const verifyQueue = (ctx: Ctx): Promise<Walk> => atOneMoment(ctx, walkQueue);

/** The same, within a transaction that sees one moment. */
export async function walkQueue(tx: Tx): Promise<Walk> {
  const sum: Walk = { entries: 0, waiting: 0, faults: [] };
  for (const queueName of queueNames) {
    const line: LaneState = { places: new Map(), held: new Set() };
    const { entries, faults } = await walk(tx, queueName, line);
    const { waiting, faults: elsewhere } = await compare(tx, queueName, line);
    sum.entries += entries;
    sum.waiting += waiting;
    sum.faults.push(...faults, ...elsewhere);
  }
  return sum;
}

async function walk(
  tx: Tx,
  queueName: Lane,
  line: LaneState,
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

async function compare(
  tx: Tx,
  queueName: Lane,
  { places, held }: LaneState,
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
