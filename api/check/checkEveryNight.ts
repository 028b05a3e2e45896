import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { checkMarket, type Look } from './check.ts';

/** The nightly self-check; its result is kept with the job run and logged. */
export async function checkEveryNight(ctx: Ctx): Promise<Look> {
  requireAdmin(ctx);
  const look = await checkMarket(ctx);
  for (const { name, count, ids } of look.wrong)
    ctx.services.log.critical('A rule of the market does not hold', { rule: name, count, ids });
  return look;
}
