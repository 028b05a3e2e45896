import {
  and,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  notExists,
  or,
  type SQL,
} from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import type { Ctx, Tx } from '../../core/context.ts';
import { replyKind } from '../../outbox/outbox.ts';
import type { Chat } from '../../people/chats.ts';

const { chats, outbox, user } = schema;
const dayMs = 86_400_000;

/** Days without use after which a chat is closed: networks give numbers out again. */
export const unusedDays = ({ services }: Ctx): number => services.env.CHAT_UNUSED_DAYS;

/** Chats that neither themselves nor by a web session of their account were used for too long. */
export function unused(ctx: Ctx): SQL | undefined {
  const before = new Date(ctx.now().getTime() - unusedDays(ctx) * dayMs);
  const webUsed = ctx.db
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.id, chats.userId), gte(user.webUsedAt, before)));
  return and(
    lt(chats.linkedAt, before),
    or(isNull(chats.wroteAt), lt(chats.wroteAt, before)),
    notExists(webUsed),
  );
}

/** Closes the open linked chats among these, and deletes the account's messages that wait for them. */
export async function close(
  tx: Tx,
  why: NonNullable<Chat['closedWhy']>,
  which: SQL | undefined,
): Promise<{ userId: string; transport: Chat['transport'] }[]> {
  const closed = await tx.db
    .update(chats)
    .set({ closedAt: tx.now(), closedWhy: why, state: {} })
    .where(and(isNotNull(chats.userId), isNull(chats.closedAt), which))
    .returning({ keyHash: chats.keyHash, userId: chats.userId, transport: chats.transport });
  for (const { keyHash } of closed)
    await tx.db
      .delete(outbox)
      .where(
        and(
          eq(outbox.recipient, keyHash),
          ne(outbox.kind, replyKind),
          inArray(outbox.state, ['waiting', 'held']),
        ),
      );
  return closed.flatMap(({ userId, transport }) => (userId ? { userId, transport } : []));
}
