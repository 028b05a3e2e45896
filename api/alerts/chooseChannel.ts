import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import type { Channel } from './schema.ts';

/** Chooses where alerts and favourites are told; another channel is used only if it fails. */
export async function chooseChannel(ctx: Ctx, channel: Channel): Promise<void> {
  const { userId } = requireAccount(ctx);
  const { user } = schema;
  await ctx.db.update(user).set({ toldBy: channel }).where(eq(user.id, userId));
}
