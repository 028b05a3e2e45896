import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { outboxChannels } from '../../db/vocabularies.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { announceLeases, chatLeases, keepLeases, takeLeases } from './leases.ts';
import { createLeaseWorker, type LeaseWorker, type Turn } from './leaseWorker.ts';
import { mailsAtOnce } from './mailer.ts';
import { faultOf } from './mailFault.ts';
import { openLinks, replyKind, triedOnce } from './outbox.ts';

const { outbox } = schema;
type Channel = (typeof outboxChannels)[number];
export type Taken = Pick<
  typeof outbox.$inferSelect,
  | 'id'
  | 'channel'
  | 'recipient'
  | 'language'
  | 'kind'
  | 'subject'
  | 'bodyText'
  | 'bodyHtml'
  | 'sealed'
  | 'unsubscribe'
  | 'attempts'
  | 'lease'
  | 'turn'
  | 'userId'
  | 'createdAt'
>;

/** Thrown by `send` when the transport names a retry time; not counted as a failure. */
export class Later extends Error {
  override name = 'Later';
  /** @param fault the whole transport refuses, so the operator should know */
  constructor(
    readonly seconds: number,
    reason = 'it was said',
    readonly fault = false,
  ) {
    super(`To be tried again in ${seconds} s: ${reason}`);
  }
}

/** Thrown by `send` when the transport can never show this message; it is given up at once. */
export class Undeliverable extends Error {
  override name = 'Undeliverable';
}

/** Thrown by `send` when the recipient has no way left, which is no fault of the transport. */
export class Gone extends Undeliverable {
  override name = 'Gone';
}

/** Thrown by `send` for an outdated message, which is deleted. */
export class Outdated extends Error {
  override name = 'Outdated';
}

export type Post = {
  channel: Channel;
  /** Throws on failure, at the latest when the signal aborts. */
  send(ctx: Ctx, message: Taken, signal: AbortSignal): Promise<void>;
  /** Concurrent sends, never two to one recipient. */
  atOnce: number;
  /** Delay after so many failures; mail's by default. */
  backoffMs?: (attempts: number) => number;
  /** Called after a message was given up. */
  lost?(ctx: Ctx, letter: Taken): Promise<void>;
};

export const mailPost: Post = {
  channel: 'email',
  atOnce: mailsAtOnce,
  send: (ctx, { id, recipient, subject, bodyText, bodyHtml, unsubscribe }, signal) =>
    ctx.services.mailer.send(
      {
        id,
        to: recipient,
        subject,
        text: openLinks(ctx, recipient, bodyText),
        html: openLinks(ctx, recipient, bodyHtml),
        ...(unsubscribe === null ? {} : { unsubscribe }),
      },
      signal,
    ),
};

/** Milliseconds. The lease outlasts any send, as a claimed message may still be accepted. */
export const deliveryTimes = { sendMs: 150_000, leaseMs: 180_000, stopMs: 3000 };

const maxAttempts = 8;
const timetableMs = 30_000;
const backoffMs = (attempts: number) => 30_000 * 2 ** (attempts - 1);

/** Mail may be under way in a slow server; a chat's answer waits no longer than needed. */
const leaseOf = (channel: Channel, { leaseMs }: { leaseMs: number } = deliveryTimes): number =>
  channel === 'email' ? leaseMs : chatLeases.leaseMs;

/** Leases due messages: the first of each recipient, and test messages, which overtake. */
export const takeMessages = (
  ctx: Ctx,
  channel: Channel,
  limit: number,
  leaseMs = leaseOf(channel),
): Promise<Taken[]> =>
  takeLeases(ctx, {
    table: outbox,
    key: 'id',
    which: sql`o.channel = ${channel}
      and (o.kind in ${[...triedOnce]} or o.turn = (select min(first.turn) from outbox first
        where first.state = 'waiting' and first.channel = o.channel and first.recipient = o.recipient))`,
    columns: sql`c.id, c.channel, c.recipient, c.language, c.kind, c.subject,
      c.body_text as "bodyText", c.body_html as "bodyHtml", c.sealed, c.unsubscribe, c.attempts, c.lease, c.turn,
      c.user_id as "userId", c.created_at as "createdAt"`,
    limit,
    leaseMs,
  });

/** After its lease a message may belong to another process, which records the outcome. */
const stillMine = ({ id, lease }: Taken) =>
  and(eq(outbox.id, id), eq(outbox.lease, lease as string));

/** Returns true when more waits for the recipient. */
async function markSent({ db, services, now }: Ctx, message: Taken): Promise<boolean> {
  const { channel, recipient, turn } = message;
  const more = sql<boolean>`exists (select from outbox later
    where later.state = 'waiting' and later.channel = ${channel}
      and later.recipient = ${recipient} and later.turn > ${turn})`;
  if (message.kind === replyKind) {
    const [gone] = await db.delete(outbox).where(stillMine(message)).returning({ more });
    return gone?.more ?? true;
  }
  const [marked] = await db
    .update(outbox)
    .set({
      attempts: message.attempts + 1,
      state: 'sent',
      sentAt: now(),
      lastError: null,
      fault: null,
      lease: null,
    })
    .where(stillMine(message))
    .returning({ more });
  if (!marked)
    services.log.warn('A message was accepted after its lease had run out', {
      id: message.id,
      kind: message.kind,
    });
  return marked?.more ?? true;
}

/**
 * Records error and next attempt; the recipient's later messages wait too. The eighth failure, or a
 * final refusal of the recipient (decision 021), gives up and lets them pass.
 * @returns milliseconds to the next attempt, undefined when given up
 */
async function markFailed(
  ctx: Ctx,
  message: Taken,
  error: unknown,
  backoff = backoffMs,
): Promise<number | undefined> {
  const later = error instanceof Later ? error.seconds * 1000 : undefined;
  const attempts = message.attempts + (later === undefined ? 1 : 0);
  const isMail = message.channel === 'email';
  const fault = isMail ? faultOf(error) : error instanceof Gone ? 'recipient' : null;
  const final =
    fault === 'recipient' ||
    error instanceof Undeliverable ||
    (later === undefined && triedOnce.includes(message.kind));
  const given = final || attempts >= maxAttempts;
  const wait = later ?? backoff(attempts);
  const nextAttemptAt = new Date(ctx.now().getTime() + wait);
  ctx.services.log[later === undefined ? 'warn' : 'info']('A message could not be delivered', {
    id: message.id,
    kind: message.kind,
    attempts,
    error,
  });
  if (error instanceof Outdated || (given && message.kind === replyKind)) {
    await ctx.db.delete(outbox).where(stillMine(message));
    return undefined;
  }
  await inTransaction(ctx, async (tx) => {
    const lastError = String(error instanceof Error ? error.message : error).slice(0, 500);
    const marked = await tx.db
      .update(outbox)
      .set({
        attempts,
        lastError,
        fault,
        state: given ? 'failed' : 'waiting',
        nextAttemptAt,
        lease: null,
      })
      .where(stillMine(message))
      .returning({ id: outbox.id });
    if (marked.length === 0 || given) return;
    // Not claimable anyway, but every look would scan them.
    const behind = and(
      eq(outbox.channel, message.channel),
      eq(outbox.recipient, message.recipient),
      eq(outbox.state, 'waiting'),
      isNull(outbox.lease),
    );
    await tx.db
      .update(outbox)
      .set({ nextAttemptAt })
      .where(and(behind, lt(outbox.nextAttemptAt, nextAttemptAt)));
  });
  return given ? undefined : wait;
}

export type Delivery = Pick<LeaseWorker, 'wake' | 'idle' | 'stop'> & {
  readonly count: { sent: number; failed: number };
};

/** One per process and channel; no database connection is held during a send. */
export function createDelivery(
  ctx: Ctx,
  { channel, send, atOnce, backoffMs: backoff, lost }: Post = mailPost,
  times = deliveryTimes,
): Delivery {
  const count = { sent: 0, failed: 0 };
  const { log, metrics } = ctx.services;

  async function deliver(message: Taken, { signal, lookedSince }: Turn): Promise<boolean> {
    try {
      await send(ctx, message, AbortSignal.any([signal, AbortSignal.timeout(times.sendMs)]));
    } catch (error) {
      if (signal.aborted) return false;
      count.failed++;
      metrics.deliveries.inc({ channel, outcome: error instanceof Later ? 'later' : 'failed' });
      const wait = await markFailed(ctx, message, error, backoff);
      if (wait === undefined)
        await lost?.(ctx, { ...message, createdAt: new Date(message.createdAt) });
      // Due before the timetable's next look.
      if (wait !== undefined && wait < timetableMs) worker.wakeLater(wait);
      return true;
    }
    count.sent++;
    metrics.deliveries.inc({ channel, outcome: 'sent' });
    const more = await markSent(ctx, message);
    // Messages written after this are announced; earlier announcements met a look that skipped
    // them.
    return more || lookedSince();
  }

  const keep = (held: readonly Taken[]) =>
    keepLeases(ctx, { table: outbox, key: 'id', leaseMs: chatLeases.leaseMs }, held);
  const worker = createLeaseWorker<Taken>({
    take: (limit) => takeMessages(ctx, channel, limit, leaseOf(channel, times)),
    ...(channel === 'email' ? {} : { renew: { everyMs: chatLeases.renewMs, keep } }),
    work: deliver,
    atOnce,
    stopMs: times.stopMs,
    failed: (part, error) =>
      log.error(
        part === 'take'
          ? 'Due messages could not be read'
          : 'The outcome of a message was not recorded: it is sent again after its lease',
        { error },
      ),
  });
  return { wake: worker.wake, idle: worker.idle, stop: worker.stop, count };
}

/**
 * Announces due retries and expired leases. It sends nothing itself, because a job holds a database
 * lock and a mail server may take minutes.
 */
export async function announceDue(ctx: Ctx): Promise<{ due: boolean }> {
  requireAdmin(ctx);
  return announceLeases(ctx, outbox, 'outbox', inArray(outbox.channel, [...outboxChannels]));
}
