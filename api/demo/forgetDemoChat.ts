import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { openToEveryone } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { sealAddress } from '../people/chats.ts';
import { addressOf, networkOf } from './chat.ts';
import type { DemoRole } from './schema.ts';

export async function forgetDemoChat(ctx: Ctx, role: DemoRole): Promise<{ forgotten: true }> {
  openToEveryone(ctx);
  const network = networkOf(ctx);
  const { visitor } = ctx.client;
  if (!visitor) return { forgotten: true };
  const { keyHash } = sealAddress(ctx.services.secret, 'telegram', addressOf(visitor, role));
  await ctx.db.delete(schema.chats).where(eq(schema.chats.keyHash, keyHash));
  network.forget(addressOf(visitor, role));
  return { forgotten: true };
}
