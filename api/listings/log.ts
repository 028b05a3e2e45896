import { asc, eq, inArray } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { chainKey, sign } from '../core/chain.ts';
import { type Tx, userIdOf } from '../core/context.ts';
import type { Lane } from './rules.ts';

/**
 * Gap between positions, so that most moves touch one row; the log's trigger uses the same number.
 */
export const step = 1024;

export type Entry = typeof schema.queueEntries.$inferSelect;
export type Reason = Entry['reason'];
export type Spot = { band: number; position: number };
/** `hold` keeps a place but is passed over, `release` ends that, `order` sets the whole lane. */
export type Change =
  | { act: 'enter' | 'release'; reason: Reason; productId: string; to: Spot }
  | { act: 'move'; reason: Reason; productId: string; from: Spot; to: Spot }
  | { act: 'leave' | 'hold'; reason: Reason; productId: string; from: Spot }
  | { act: 'order'; reason: (typeof schema.orderReasons)[number]; line: string[]; front: number };

/** In the order in which they are signed. */
const signed = [
  'queueName',
  'serial',
  'act',
  'reason',
  'productId',
  'fromBand',
  'fromPosition',
  'toBand',
  'toPosition',
  'line',
  'front',
  'actorKind',
  'actorCode',
] as const;

export const hashOf = (key: string, entry: Omit<Entry, 'hash'>): string =>
  sign(key, [...signed.map((name) => entry[name]), entry.at.toISOString(), entry.previous]);

/**
 * Changes a lane, as nothing else may (decision 056): Postgres applies each log entry to
 * `queue_items`. The caller holds the lane.
 */
export async function record(tx: Tx, queueName: Lane, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  await append(tx, queueName, await openLog(tx, queueName), changes);
}

type Log = typeof schema.queueLogs.$inferSelect;

/** Locks a lane's log. A queue older than its log becomes the first entry. */
export async function openLog(tx: Tx, queueName: Lane): Promise<Log> {
  const { queueLogs: l } = schema;
  const find = async () =>
    (await tx.db.select().from(l).where(eq(l.queueName, queueName)).for('update'))[0];
  let log = await find();
  if (!log) {
    await tx.db.insert(l).values({ queueName }).onConflictDoNothing();
    log = await find();
  }
  if (!log) throw new Error(`The log of ${queueName} could not be opened`);
  if (log.entries > 0) return log;
  const opened = await lineOf(tx, queueName);
  return opened.line.length === 0
    ? log
    : append(tx, queueName, log, [{ act: 'order', reason: 'opened', ...opened }]);
}

export async function lineOf(tx: Tx, queueName: Lane): Promise<{ line: string[]; front: number }> {
  const { queueItems: q } = schema;
  const rows = await tx.db
    .select({ id: q.productId, band: q.band })
    .from(q)
    .where(eq(q.queueName, queueName))
    .orderBy(asc(q.band), asc(q.position));
  return { line: rows.map(({ id }) => id), front: rows.filter(({ band }) => band === 0).length };
}

/** Takes products out of their queues; returns how many waited. */
export async function leaveLanes(
  tx: Tx,
  productIds: readonly string[],
  reason: Reason,
): Promise<number> {
  const waiting = await spotsOf(tx, productIds);
  for (const [queueName, items] of Map.groupBy(waiting, (item) => item.queueName))
    await record(
      tx,
      queueName,
      items.map(({ productId, ...from }) => ({ act: 'leave', reason, productId, from })),
    );
  return waiting.length;
}

export async function spotsOf(
  tx: Tx,
  productIds: readonly string[],
): Promise<(Spot & { productId: string; queueName: Lane })[]> {
  const { queueItems: q } = schema;
  if (productIds.length === 0) return [];
  return tx.db
    .select({ productId: q.productId, queueName: q.queueName, band: q.band, position: q.position })
    .from(q)
    .where(inArray(q.productId, [...productIds]))
    .orderBy(asc(q.queueName), asc(q.band), asc(q.position))
    .for('update');
}

async function append(tx: Tx, queueName: Lane, log: Log, changes: readonly Change[]): Promise<Log> {
  const key = await chainKey(tx, 'queue');
  const userId = userIdOf(tx.actor);
  const by = {
    actorKind: tx.actor.kind,
    actorCode: userId && sign(key, ['account', userId]).slice(0, 12),
    at: tx.now(),
  };
  let { entries: serial, head } = log;
  const rows = changes.map((change) => {
    const from = 'from' in change ? change.from : undefined;
    const to = 'to' in change ? change.to : undefined;
    const said = {
      queueName,
      serial: ++serial,
      act: change.act,
      reason: change.reason,
      productId: 'productId' in change ? change.productId : null,
      fromBand: from?.band ?? null,
      fromPosition: from?.position ?? null,
      toBand: to?.band ?? null,
      toPosition: to?.position ?? null,
      line: 'line' in change ? change.line : null,
      front: 'line' in change ? change.front : null,
      ...by,
      previous: head,
    };
    head = hashOf(key, said);
    return { ...said, hash: head };
  });
  await tx.db.insert(schema.queueEntries).values(rows);
  return { ...log, entries: serial, head };
}
