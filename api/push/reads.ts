import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { readSettings } from '../settings/values.ts';
import { pushKeys } from './keys.ts';

/** False without known push services, or without the worker that shows messages. */
export async function isPushOn(ctx: Ctx): Promise<boolean> {
  if (ctx.services.env.PUSH_SERVICES.length === 0) return false;
  return (await readSettings(ctx, ['offlinePages'])).offlinePages;
}

/**
 * Key for a browser that wants to be told, null if the market tells none; `here`: this session's
 * browser is told.
 */
export async function ownPush(ctx: Ctx): Promise<{ key: string | null; here: boolean }> {
  const { sessionId } = requireAccount(ctx);
  const { pushSubscriptions: b } = schema;
  if (sessionId === null || !(await isPushOn(ctx))) return { key: null, here: false };
  const { publicKey } = await pushKeys(ctx);
  return { key: publicKey, here: (await ctx.db.$count(b, eq(b.sessionId, sessionId))) > 0 };
}
