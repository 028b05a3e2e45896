import { and, eq, exists, inArray, isNull, lte, ne, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { schema } from '../../../db/client.ts';
import { requireAdmin } from '../../core/access.ts';
import type { Ctx } from '../../core/context.ts';
import { inTransaction } from '../../core/transaction.ts';
import { opened } from '../../people/chats.ts';
import { notify } from '../../people/notify.ts';
import { networkNames } from '../../shared/networks.ts';
import { back } from '../rules.ts';
import { close, unused, unusedDays } from './closing.ts';

const { chats, outbox, user } = schema;

/** Chats closed in one transaction. */
const batch = 200;

/** Scheduled job: closes unused chats, and opens those that waited without an objection. */
export async function tendChats(ctx: Ctx): Promise<{ closed: number; opened: number }> {
  requireAdmin(ctx);
  let closed = 0;
  for (let more = batch; more === batch && !ctx.signal?.aborted; closed += more)
    more = await closeUnused(ctx);
  return { closed, opened: await openWaited(ctx) };
}

const closeUnused = (ctx: Ctx): Promise<number> =>
  inTransaction(ctx, async (tx) => {
    const some = tx.db
      .select({ id: chats.id })
      .from(chats)
      .where(and(isNull(chats.closedAt), unused(tx)))
      .limit(batch);
    const rows = await close(tx, 'unused', inArray(chats.id, some));
    for (const { userId, transport } of rows) {
      const params = { channel: networkNames[transport], days: String(unusedDays(tx)) };
      await notify(tx, { userId }, 'chatUnused', params, 'account');
    }
    return rows.length;
  });

/**
 * Opens chats whose account was reached by another channel a whole wait ago. An objection has
 * unlinked them; admins' chats never open like this.
 */
function openWaited(ctx: Ctx): Promise<number> {
  const other = alias(chats, 'other');
  const stillReached = ctx.db
    .select({ id: other.id })
    .from(other)
    .where(
      and(
        eq(other.keyHash, outbox.recipient),
        eq(other.userId, user.id),
        isNull(other.blockedAt),
        isNull(other.closedAt),
      ),
    );
  const reached = ctx.db
    .select({ id: outbox.id })
    .from(outbox)
    .where(
      and(
        // A notice about another chat of the account does not count.
        eq(outbox.id, sql`any(${chats.backNotices})`),
        lte(outbox.sentAt, new Date(ctx.now().getTime() - back.waitMs)),
        ne(outbox.recipient, chats.keyHash),
        or(eq(outbox.channel, 'email'), exists(stillReached)),
      ),
    );
  return inTransaction(ctx, async (tx) => {
    const rows = await tx.db
      .update(chats)
      .set({ ...opened, linkedAt: tx.now() })
      .from(user)
      .where(and(eq(user.id, chats.userId), eq(user.role, 'member'), exists(reached)))
      .returning({ userId: user.id, transport: chats.transport });
    for (const { userId, transport } of rows)
      await notify(tx, { userId }, 'chatOpened', { channel: networkNames[transport] }, 'account');
    return rows.length;
  });
}
