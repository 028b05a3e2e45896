import { randomUUID } from 'node:crypto';
import { and, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { outboxChannels } from '../../db/schema/operations.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { neverDueAfter } from '../shared/futureTimes.ts';
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
  | 'attempts'
  | 'lease'
  | 'turn'
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

export type Post = {
  channel: Channel;
  /** Throws on failure, at the latest when the signal aborts. */
  send(ctx: Ctx, letter: Taken, signal: AbortSignal): Promise<void>;
  /** Concurrent sends, never two to one recipient. */
  atOnce: number;
  /** Delay after so many failures; mail's by default. */
  backoffMs?: (attempts: number) => number;
};

export const mailPost: Post = {
  channel: 'email',
  atOnce: mailsAtOnce,
  send: (ctx, { id, recipient, subject, bodyText, bodyHtml }, signal) =>
    ctx.services.mailer.send(
      {
        id,
        to: recipient,
        subject,
        text: openLinks(ctx, recipient, bodyText),
        html: openLinks(ctx, recipient, bodyHtml),
      },
      signal,
    ),
};

/** Milliseconds. The lease outlasts any send, as a claimed message may still be accepted. */
export const deliveryTimes = { sendMs: 150_000, leaseMs: 180_000, stopMs: 3000 };

const maxAttempts = 8;
const timetableMs = 30_000;
const backoffMs = (attempts: number) => 30_000 * 2 ** (attempts - 1);

/**
 * Claims due messages for a lease: the first of each recipient, and test messages, which overtake.
 * All rows are found by index, even with a hundred thousand waiting (decision 021).
 */
export async function takeLetters(
  ctx: Ctx,
  channel: Channel,
  limit: number,
  leaseMs = deliveryTimes.leaseMs,
): Promise<Taken[]> {
  const now = ctx.now();
  const rows = await ctx.db.execute<Taken>(sql`
    with due as materialized (
      select o.id from outbox o
      where o.state = 'waiting' and o.channel = ${channel} and o.next_attempt_at <= ${now.toISOString()}::timestamptz
        and (o.kind in ${[...triedOnce]} or o.turn = (select min(first.turn) from outbox first
          where first.state = 'waiting' and first.channel = o.channel and first.recipient = o.recipient))
      order by o.next_attempt_at, o.turn limit ${limit}
      for update of o skip locked)
    update outbox set lease = ${randomUUID()},
      next_attempt_at = ${new Date(now.getTime() + leaseMs).toISOString()}::timestamptz
    from due where outbox.id = due.id
    returning outbox.id, channel, recipient, language, kind, subject,
      body_text as "bodyText", body_html as "bodyHtml", sealed, attempts, lease, turn`);
  return [...rows].sort((a, b) => Number(a.turn) - Number(b.turn));
}

/** After its lease a message may belong to another process, which records the outcome. */
const stillMine = ({ id, lease }: Taken) =>
  and(eq(outbox.id, id), eq(outbox.lease, lease as string));

/** Returns true when more waits for the recipient. */
async function markSent({ db, services, now }: Ctx, letter: Taken): Promise<boolean> {
  const { channel, recipient, turn } = letter;
  const more = sql<boolean>`exists (select from outbox later
    where later.state = 'waiting' and later.channel = ${channel}
      and later.recipient = ${recipient} and later.turn > ${turn})`;
  if (letter.kind === replyKind) {
    const [gone] = await db.delete(outbox).where(stillMine(letter)).returning({ more });
    return gone?.more ?? true;
  }
  const [marked] = await db
    .update(outbox)
    .set({
      attempts: letter.attempts + 1,
      state: 'sent',
      sentAt: now(),
      lastError: null,
      fault: null,
      lease: null,
    })
    .where(stillMine(letter))
    .returning({ more });
  if (!marked)
    services.log.warn('A message was accepted after its lease had run out', {
      id: letter.id,
      kind: letter.kind,
    });
  return marked?.more ?? true;
}

/**
 * Records error and next attempt; the recipient's later messages wait too. The eighth failure, or a
 * final refusal of the recipient (decision 063), gives up and lets them pass.
 * @returns milliseconds to the next attempt, undefined when given up
 */
async function markFailed(
  ctx: Ctx,
  letter: Taken,
  error: unknown,
  backoff = backoffMs,
): Promise<number | undefined> {
  const later = error instanceof Later ? error.seconds * 1000 : undefined;
  const attempts = letter.attempts + (later === undefined ? 1 : 0);
  const fault = letter.channel === 'email' ? faultOf(error) : null;
  const final = fault === 'recipient' || (later === undefined && triedOnce.includes(letter.kind));
  const given = final || attempts >= maxAttempts;
  const wait = later ?? backoff(attempts);
  const nextAttemptAt = new Date(ctx.now().getTime() + wait);
  ctx.services.log[later === undefined ? 'warn' : 'info']('A message could not be delivered', {
    id: letter.id,
    kind: letter.kind,
    attempts,
    error,
  });
  if (given && letter.kind === replyKind) {
    await ctx.db.delete(outbox).where(stillMine(letter));
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
      .where(stillMine(letter))
      .returning({ id: outbox.id });
    if (marked.length === 0 || given) return;
    // Not claimable anyway, but every look would scan them.
    const behind = and(
      eq(outbox.channel, letter.channel),
      eq(outbox.recipient, letter.recipient),
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

export type Delivery = {
  /** Looks for due messages soon; many calls cause one look. */
  wake(): void;
  /** Resolves when nothing is left to send. */
  idle(): Promise<void>;
  /**
   * Waits briefly, then abandons sends in progress: when their leases run out, another process
   * claims them.
   */
  stop(): Promise<void>;
  readonly count: { sent: number; failed: number };
};

/** One per process and channel; no database connection is held during a send. */
export function createDelivery(
  ctx: Ctx,
  { channel, send, atOnce, backoffMs: backoff }: Post = mailPost,
  times = deliveryTimes,
): Delivery {
  const count = { sent: 0, failed: 0 };
  const underWay = new Set<Promise<void>>();
  const letGo = new AbortController();
  let looking: Promise<void> | undefined;
  let again = false;
  /** The last look may have left due messages. */
  let full = false;
  let looks = 0;
  let stopped = false;
  const alarms = new Set<ReturnType<typeof setTimeout>>();

  /** For retries due before the timetable's next look. */
  function wakeLater(ms: number): void {
    const alarm = setTimeout(() => alarms.delete(alarm) && wake(), ms);
    alarms.add(alarm);
  }

  async function deliver(letter: Taken): Promise<boolean> {
    const seen = looks;
    try {
      await send(ctx, letter, AbortSignal.any([letGo.signal, AbortSignal.timeout(times.sendMs)]));
    } catch (error) {
      if (letGo.signal.aborted) return false;
      count.failed++;
      ctx.services.metrics.deliveries.inc({
        channel,
        outcome: error instanceof Later ? 'later' : 'failed',
      });
      const wait = await markFailed(ctx, letter, error, backoff);
      if (wait !== undefined && wait < timetableMs) wakeLater(wait);
      return true;
    }
    count.sent++;
    ctx.services.metrics.deliveries.inc({ channel, outcome: 'sent' });
    const more = await markSent(ctx, letter);
    // Messages written after this are announced; earlier announcements met a look that skipped
    // them.
    return more || full || looks > seen;
  }

  async function look(): Promise<void> {
    while (again && !stopped) {
      again = false;
      looks++;
      const free = atOnce - underWay.size;
      full = free <= 0;
      // Each send that ends looks again.
      if (full) return;
      const taken = await takeLetters(ctx, channel, free, times.leaseMs);
      full = taken.length === free;
      for (const letter of taken) {
        const way = deliver(letter)
          .catch((error) => {
            ctx.services.log.error(
              'What became of a message could not be kept: it goes out again when its lease has run out',
              { error },
            );
            return true;
          })
          .then((more) => {
            underWay.delete(way);
            if (more) wake();
          });
        underWay.add(way);
      }
    }
  }

  function wake(): void {
    again = true;
    if (stopped) return;
    looking ??= look()
      .catch((error) =>
        ctx.services.log.error('What is to be delivered could not be read', { error }),
      )
      .finally(() => {
        looking = undefined;
        if (again && underWay.size < atOnce) wake();
      });
  }

  async function idle(): Promise<void> {
    while (looking || underWay.size > 0) await Promise.all([looking, ...underWay]);
  }

  return {
    wake,
    idle,
    async stop() {
      stopped = true;
      for (const alarm of alarms) clearTimeout(alarm);
      await within(times.stopMs, idle());
      letGo.abort();
      await within(1000, idle());
    },
    count,
  };
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}

/**
 * Announces due retries and expired leases. It sends nothing itself, because a job holds a database
 * lock and a mail server may take minutes.
 */
export async function announceDue(ctx: Ctx): Promise<{ due: boolean }> {
  requireAdmin(ctx);
  const now = ctx.now();
  await ctx.db
    .update(outbox)
    .set({ nextAttemptAt: now })
    .where(
      and(
        eq(outbox.state, 'waiting'),
        inArray(outbox.channel, [...outboxChannels]),
        gt(outbox.nextAttemptAt, neverDueAfter(now)),
      ),
    );
  const rows = await ctx.db.execute(sql`
    select pg_notify('outbox', 'due') from
      (select from outbox where state = 'waiting' and channel in ${[...outboxChannels]}
        and next_attempt_at <= ${now.toISOString()}::timestamptz limit 1) as due`);
  return { due: rows.length > 0 };
}
