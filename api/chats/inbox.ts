import { randomUUID } from 'node:crypto';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { inOneStatement } from '../core/transaction.ts';
import { neverDueAfter } from '../core/wrongClock.ts';
import { openFor, sealAddress, sealFor, type Transport } from '../people/chats.ts';
import { type Reply, replyRows } from './replies.ts';
import { windowOpen } from './rules.ts';

const { chats, chatUpdates: u, outbox } = schema;

/** What a person wrote, as any transport delivers it. */
export type Message = {
  text: string;
  /** The phone number (E.164) that the transport itself delivered with it: with each message, or when it was shared. */
  number?: string;
  /** When it was written, where the transport may deliver it late (ISO). */
  at?: string;
  /** A contact came with it that is not the sender's own: it proves nothing, and its number is not kept. */
  anothersContact?: true;
  /** What came is neither words nor a photo: a voice message, a sticker, a video, a place. */
  wordless?: true;
  /** Photos that came with it; the transport has their bytes until somebody may keep them. */
  photos?: PhotoRef[];
};
/** A photo as its transport names it (`ref`). Photos that were sent together share an `album`, where the transport says so. */
export type PhotoRef = { ref: string; album?: string };
/**
 * A message that came in: `updateId` is the transport's own, after the id of the bot that received it; `at` when it was written, where a transport
 * may deliver it much later, or another one first.
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

/** In milliseconds: what was begun and not ended is somebody else's after the lease. */
const leaseMs = 60_000;
const backoffMs = (attempts: number) => 2000 * 4 ** (attempts - 1);
const maxAttempts = 4;

/**
 * Keeps a message, once, before the transport is told that it arrived: by then a crash loses nothing. Answers whether it is new. Whoever writes
 * has not blocked the bot, or no longer.
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
          // Transports tell the time by the second.
          blockedAt: sql`case when ${chats.blockedAt} > ${wroteAt.toISOString()}::timestamptz + interval '10 seconds' then ${chats.blockedAt} end`,
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
  // What waited for the person to write waits no longer (WhatsApp's window); the first of them is sent ahead of the answer.
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

/** Takes messages that wait, the first of each chat alone, for the time of a lease. What somebody else is just taking is passed over. */
export async function takeUpdates(ctx: Ctx, limit: number): Promise<TakenUpdate[]> {
  const now = ctx.now();
  const rows = await ctx.db.execute<TakenUpdate>(sql`
    with due as materialized (
      select o.turn from chat_updates o
      where o.state = 'waiting' and o.next_attempt_at <= ${now.toISOString()}::timestamptz
        and o.turn = (select min(first.turn) from chat_updates first where first.state = 'waiting' and first.key_hash = o.key_hash)
      order by o.next_attempt_at, o.turn limit ${limit}
      for update of o skip locked)
    update chat_updates c set lease = ${randomUUID()}, next_attempt_at = ${new Date(now.getTime() + leaseMs).toISOString()}::timestamptz
    from due where c.turn = due.turn
    returning c.turn, c.transport, c.key_hash as "keyHash", c.sealed, c.attempts, c.lease`);
  return [...rows].sort((a, b) => Number(a.turn) - Number(b.turn));
}

const stillMine = ({ turn, lease }: TakenUpdate) =>
  and(eq(u.turn, Number(turn)), eq(u.lease, lease as string), eq(u.state, 'waiting'));

/** The words of a message that was taken. */
export const messageOf = (
  { services }: Pick<Ctx, 'services'>,
  { sealed, ...chat }: TakenUpdate,
): Message => JSON.parse(openFor(services.secret, chat, sealed ?? '')) as Message;

/**
 * Ends a message with its answer, in one statement of its turn: answered once or not at all. Answers nothing when its lease has passed to somebody else:
 * then the turn is to be taken back. Else whether more of the chat waits: what comes later waits for the lock that the turn has on its chat, and is
 * announced after it.
 */
export async function finishUpdate(
  tx: Ctx,
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

/** Lets a message that could not be worked on wait, a little longer each time. Answers whether it was given up. */
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

/** Puts a message back for a moment: it is not its turn, which is no failure. */
export async function postponeUpdate(ctx: Ctx, update: TakenUpdate, ms: number): Promise<void> {
  await ctx.db
    .update(u)
    .set({ nextAttemptAt: new Date(ctx.now().getTime() + ms), lease: null })
    .where(stillMine(update));
}

/** The timetable's part: says that a message is due, to every process that works on them. */
export async function announceChats(ctx: Ctx): Promise<{ due: boolean }> {
  const now = ctx.now();
  await ctx.db
    .update(u)
    .set({ nextAttemptAt: now })
    .where(and(eq(u.state, 'waiting'), gt(u.nextAttemptAt, neverDueAfter(now))));
  const rows = await ctx.db.execute(sql`
    select pg_notify('chats', 'due') from
      (select from chat_updates where state = 'waiting' and next_attempt_at <= ${now.toISOString()}::timestamptz limit 1) as due`);
  return { due: rows.length > 0 };
}
