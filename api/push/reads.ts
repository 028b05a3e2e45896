import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { stoppedAccounts } from '../people/daily.ts';
import { countedKinds } from '../people/notifications.ts';
import { switchedOff } from '../people/switches.ts';
import { readSettings } from '../settings/values.ts';
import { pushKeys } from './keys.ts';
import type { OwnPush } from './rules.ts';

/** False without known push services, or without the worker that shows messages. */
export async function isPushOn(ctx: Ctx): Promise<boolean> {
  if (ctx.services.env.PUSH_SERVICES.length === 0) return false;
  return (await readSettings(ctx, ['offlinePages'])).offlinePages;
}

export async function ownPush(ctx: Ctx): Promise<OwnPush> {
  const { userId, sessionId } = requireAccount(ctx);
  const { pushSubscriptions: b } = schema;
  if (sessionId === null || !(await isPushOn(ctx)))
    return { key: null, here: false, silent: false };
  const { publicKey } = await pushKeys(ctx);
  const stopped = await stoppedAccounts(ctx, [userId]);
  const off = await Promise.all(countedKinds.map((kind) => switchedOff(ctx, kind, [userId])));
  return {
    key: publicKey,
    here: (await ctx.db.$count(b, eq(b.sessionId, sessionId))) > 0,
    silent: stopped.size > 0 || off.every((people) => people.size > 0),
  };
}
