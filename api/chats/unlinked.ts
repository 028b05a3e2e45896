import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { mailboxOf } from '../people/mailbox.ts';
import { Refusal } from '../shared/errors.ts';

const { chats, user } = schema;

export const nobodys = { userId: null, linkedAt: null, state: {} };

/** Protects the last chat of an account without email. Refuses `chats.onlyWayIn`. */
export async function keepWayIn(ctx: Ctx, userId: string): Promise<void> {
  // The lock lets only one of two concurrent unlinks pass.
  const [account] = await ctx.db.select().from(user).where(eq(user.id, userId)).for('update');
  if (!account || mailboxOf(account) !== null) return;
  if ((await ctx.db.$count(chats, eq(chats.userId, userId))) <= 1)
    throw new Refusal('chats.onlyWayIn');
}
