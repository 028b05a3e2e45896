import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { ownedBy, requireOwner } from './owner.ts';
import { notBefore } from './rules.ts';
import type { AlertAct } from './schema.ts';

const { alerts: a } = schema;

/**
 * Changes, pauses, resumes or ends an alert of the account, or of a chat without one. Ignores
 * others' alerts and those that have ended.
 */
export async function changeAlert(ctx: Ctx, id: string, { act, pace }: AlertAct): Promise<void> {
  const owner = await requireOwner(ctx);
  const own = and(eq(a.id, id), ownedBy(owner));
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
