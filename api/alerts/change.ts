import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { notBefore } from './rules.ts';
import type { AlertAct } from './schema.ts';

const { alerts: a } = schema;

/**
 * Changes, pauses, resumes or ends an alert of the account. Ignores other accounts' alerts and
 * those that have ended.
 */
export async function changeAlert(ctx: Ctx, id: string, { act, pace }: AlertAct): Promise<void> {
  const { userId } = requireAccount(ctx);
  const own = and(eq(a.id, id), eq(a.userId, userId));
  const now = ctx.now();
  if (act === 'end') await ctx.db.delete(a).where(own);
  else
    await ctx.db
      .update(a)
      .set(
        act === 'pace'
          ? { pace, notBefore: notBefore(now, pace) }
          : { pausedAt: act === 'pause' ? now : null },
      )
      .where(own);
}
