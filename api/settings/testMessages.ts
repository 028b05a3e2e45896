import { and, desc, eq, gt, inArray } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { countAttempt } from '../core/limits.ts';
import { inTransaction } from '../core/transaction.ts';
import { triedOnce } from '../outbox/outbox.ts';
import { notify } from '../people/notify.ts';
import { Refusal } from '../shared/errors.ts';
import { dayAndTime } from '../shared/format.ts';
import { hidePrivate } from '../shared/redact.ts';
import type { TestWay } from './schema.ts';

/** Per admin and way. */
const most = { max: 5, seconds: 600 } as const;
/** Milliseconds tests are shown, and until a waiting one gets a hint. */
const shownMs = 3_600_000;
const longMs = 30_000;
const kinds = { mail: 'testMail', chat: 'testChat' } as const;
const noRecipient = { mail: 'settings.noMailbox', chat: 'settings.noChat' } as const;

/**
 * Sends a test only to the admin's own mailbox or linked chats (decision 021). Refuses
 * `settings.noMailbox`, `settings.noChat` and `tooManyRequests`.
 */
export async function sendTestMessage(ctx: Ctx, way: TestWay) {
  const userId = requireOwnId(ctx);
  await inTransaction(ctx, async (tx) => {
    await countAttempt(
      tx,
      `test-message:${way}:${userId}`,
      most.max,
      most.seconds,
      'tooManyRequests',
    );
    const written = await notify(tx, { userId }, kinds[way], (language) => ({
      when: dayAndTime(tx.now(), language),
    }));
    if (written.length === 0) throw new Refusal(noRecipient[way]);
    await audit(tx, {
      action: 'settings.test',
      subjectKind: 'user',
      subjectId: userId,
      after: { way, messages: written.length },
    });
  });
  return testMessages(ctx);
}

/** The admin's newest tests of the last hour. */
export async function testMessages(ctx: Ctx) {
  const { outbox: o } = schema;
  const userId = requireOwnId(ctx);
  const now = ctx.now().getTime();
  const rows = await ctx.db
    .select({
      id: o.id,
      kind: o.kind,
      channel: o.channel,
      state: o.state,
      fault: o.fault,
      lastError: o.lastError,
      at: o.createdAt,
    })
    .from(o)
    .where(
      and(
        eq(o.userId, userId),
        inArray(o.kind, [...triedOnce]),
        gt(o.createdAt, new Date(now - shownMs)),
      ),
    )
    .orderBy(desc(o.createdAt), desc(o.turn))
    .limit(20);
  const newest = new Map(rows.toReversed().map(({ kind, at }) => [kind, at.getTime()]));
  const messages = rows
    .filter(({ kind, at }) => newest.get(kind) === at.getTime())
    .map(({ kind, at, lastError, ...row }) => ({
      ...row,
      way: kind === kinds.mail ? ('mail' as const) : ('chat' as const),
      at: at.toISOString(),
      reason: lastError === null ? null : hidePrivate(lastError),
      simulated: row.channel === 'email' ? simulatedMail(ctx) : simulatedChat(ctx, row.channel),
      state: row.state === 'held' ? ('waiting' as const) : row.state,
      waitsLong: row.state === 'waiting' && now - at.getTime() > longMs,
    }));
  return {
    messages,
    simulated: { mail: simulatedMail(ctx), chat: simulatedChat(ctx, 'telegram') },
  };
}

const simulatedMail = ({ services: { env } }: Ctx): boolean => !env.SMTP_URL;
const simulatedChat = ({ services }: Ctx, channel: string): boolean =>
  channel === 'telegram' && services.demoNetwork !== undefined;

function requireOwnId(ctx: Ctx): string {
  requireAdmin(ctx);
  const userId = userIdOf(ctx.actor);
  if (userId === null) throw new Refusal('forbidden');
  return userId;
}
