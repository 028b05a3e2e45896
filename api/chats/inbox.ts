import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Message, Reply } from '../core/chatMessages.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { inOneStatement } from '../core/transaction.ts';
import { announceLeases, chatLeases, keepLeases, takeLeases } from '../outbox/leases.ts';
import { openFor, sealAddress, sealFor, type Transport } from '../people/chats.ts';
import { windowOpen } from '../people/window.ts';
import { replyRows } from './replies.ts';

const { chats, chatUpdates: u, outbox } = schema;

/**
 * `updateId` combines the bot's and the transport's id; `at` is set if messages may arrive late or
 * out of order.
 */
export type Incoming = {
  transport: Transport;
  address: string;
  updateId: string;
  at?: Date;
  message: Message;
};
export type TakenUpdate = Pick<
  typeof u.$inferSelect,
  'turn' | 'transport' | 'keyHash' | 'sealed' | 'attempts' | 'lease'
>;

const backoffMs = (attempts: number) => 2000 * 4 ** (attempts - 1);
const maxAttempts = 4;

/**
 * Stores a message, once, before it is acknowledged, so a crash loses none. Clears `blockedAt`: a
 * person who writes has unblocked the bot. Returns false for a duplicate.
 */
export async function receive(
  ctx: Pick<Ctx, 'db' | 'services' | 'now'>,
  { transport, address, updateId, at, message: said }: Incoming,
): Promise<boolean> {
  const { secret } = ctx.services;
  const now = ctx.now();
  const sealed = sealAddress(secret, transport, address);
  const wroteAt = at && at < now ? at : now;
  const message: Message = { ...said, ...(at ? { at: wroteAt.toISOString() } : {}) };
  const { db } = ctx;
  const heard = db.$with('heard').as(
    db
      .insert(chats)
      .values({ ...sealed, createdAt: now, wroteAt })
      .onConflictDoUpdate({
        target: chats.keyHash,
        set: {
          wroteAt: sql`greatest(${chats.wroteAt}, ${wroteAt.toISOString()}::timestamptz)`,
          // Transports report whole seconds.
          blockedAt: sql`case when ${chats.blockedAt} > ${wroteAt.toISOString()}::timestamptz + interval '10 seconds'
            then ${chats.blockedAt} end`,
        },
      })
      .returning({ keyHash: chats.keyHash }),
  );
  const row = {
    transport,
    updateId,
    keyHash: sealed.keyHash,
    sealed: sealFor(secret, sealed, JSON.stringify(message)),
    nextAttemptAt: now,
    receivedAt: now,
  };
  const kept = db
    .$with('kept')
    .as(db.insert(u).values(row).onConflictDoNothing().returning({ turn: u.turn }));
  // Postponed messages become due as WhatsApp's window opens, the first ahead of the answer.
  const waited = and(
    eq(outbox.channel, transport),
    eq(outbox.recipient, sealed.keyHash),
    eq(outbox.state, 'waiting'),
  );
  const freed = db.$with('freed').as(
    db
      .update(outbox)
      .set({ nextAttemptAt: now })
      .where(and(waited, isNull(outbox.lease), gt(outbox.nextAttemptAt, now)))
      .returning({ id: outbox.id }),
  );
  const parts =
    transport === 'whatsapp' && windowOpen(wroteAt, now) ? [heard, kept, freed] : [heard, kept];
  const rows = await inOneStatement(ctx, () =>
    db
      .with(...parts)
      .select({ turn: kept.turn })
      .from(kept),
  );
  const isNew = rows.length > 0;
  if (isNew) ctx.services.metrics.heard.inc({ channel: transport });
  return isNew;
}

/** Leases waiting messages, only the first of each chat. */
export const takeUpdates = (ctx: Ctx, limit: number): Promise<TakenUpdate[]> =>
  takeLeases(ctx, {
    table: u,
    key: 'turn',
    which: sql`o.turn = (select min(first.turn) from chat_updates first
      where first.state = 'waiting' and first.key_hash = o.key_hash)`,
    columns: sql`c.turn, c.transport, c.key_hash as "keyHash", c.sealed, c.attempts, c.lease`,
    limit,
    leaseMs: chatLeases.leaseMs,
  });

/** Renews the leases of messages in progress. */
export const keepUpdates = (ctx: Ctx, held: readonly TakenUpdate[]): Promise<void> =>
  keepLeases(ctx, { table: u, key: 'turn', leaseMs: chatLeases.leaseMs }, held);

const stillMine = ({ turn, lease }: TakenUpdate) =>
  and(eq(u.turn, Number(turn)), eq(u.lease, lease as string), eq(u.state, 'waiting'));

export const messageOf = (
  { services }: Pick<Ctx, 'services'>,
  { sealed, ...chat }: TakenUpdate,
): Message => JSON.parse(openFor(services.secret, chat, sealed ?? '')) as Message;

/**
 * Ends a message with its replies in one statement, so it is answered once or not at all. Returns
 * undefined if the lease has passed on: roll back then. `more`: the chat has more waiting; later
 * arrivals wait for the turn's lock and are announced after it.
 */
export async function finishUpdate(
  tx: Tx,
  update: TakenUpdate,
  replies: readonly Reply[],
): Promise<{ more: boolean } | undefined> {
  const { db } = tx;
  const done = db.$with('done').as(
    db
      .update(u)
      .set({ state: 'done', sealed: null, lease: null, attempts: update.attempts + 1 })
      .where(stillMine(update))
      .returning({ turn: u.turn }),
  );
  const rows = replyRows(tx, update, replies);
  const said =
    rows.length > 0
      ? [db.$with('said').as(db.insert(outbox).values(rows).returning({ id: outbox.id }))]
      : [];
  const behind = db
    .select({ turn: u.turn })
    .from(u)
    .where(
      and(eq(u.keyHash, update.keyHash), eq(u.state, 'waiting'), gt(u.turn, Number(update.turn))),
    );
  const [ended] = await db
    .with(done, ...said)
    .select({ more: sql<boolean>`exists ${behind}` })
    .from(done);
  return ended;
}

/** Schedules a retry, or gives up and returns true. */
export async function failUpdate(ctx: Ctx, update: TakenUpdate): Promise<boolean> {
  const attempts = update.attempts + 1;
  const given = attempts >= maxAttempts;
  const nextAttemptAt = new Date(ctx.now().getTime() + backoffMs(attempts));
  await ctx.db
    .update(u)
    .set(
      given
        ? { state: 'failed', sealed: null, attempts, lease: null }
        : { attempts, nextAttemptAt, lease: null },
    )
    .where(stillMine(update));
  return given;
}

/** Postpones a message without counting a failed attempt. */
export async function postponeUpdate(ctx: Ctx, update: TakenUpdate, ms: number): Promise<void> {
  await ctx.db
    .update(u)
    .set({ nextAttemptAt: new Date(ctx.now().getTime() + ms), lease: null })
    .where(stillMine(update));
}

/** Scheduled job: wakes the workers if messages are due. */
export async function announceChats(ctx: Ctx): Promise<{ due: boolean }> {
  requireAdmin(ctx);
  return announceLeases(ctx, u, 'chats');
}
