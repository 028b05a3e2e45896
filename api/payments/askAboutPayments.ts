import { and, eq, gt, lte } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { neverDueAfter } from '../outbox/leases.ts';
import { ask, takeDue } from './ask.ts';
import { askAboutRefunds } from './askAboutRefunds.ts';

const { purchases: p } = schema;

/** Scheduled job: asks about every due purchase and refund. */
export async function askAboutPayments(ctx: Ctx): Promise<{ asked: number }> {
  requireAdmin(ctx);
  const now = ctx.now();
  await ctx.db
    .update(p)
    .set({ askAt: now })
    .where(and(eq(p.status, 'pending'), gt(p.askAt, neverDueAfter(now))));
  for (let asked = 0; ; ) {
    const due = ctx.signal?.aborted ? [] : await takeDue(ctx, lte(p.askAt, now));
    if (due.length === 0) return { asked: asked + (await askAboutRefunds(ctx)) };
    for (const purchase of due) await ask(ctx, purchase);
    asked += due.length;
  }
}
