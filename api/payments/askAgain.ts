import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import type { Purchase } from '../core/ports.ts';
import { inTransaction } from '../core/transaction.ts';
import { Refusal } from '../shared/errors.ts';
import { ask } from './ask.ts';
import { about, lockPurchase } from './purchase.ts';

const { purchases: p } = schema;

/**
 * Asks the adapter about a purchase at once, also about one that failed or expired. Refuses
 * `payments.notFound`.
 */
export async function askAgain(ctx: Ctx, id: string): Promise<Purchase> {
  requireAdmin(ctx);
  const [known] = await ctx.db.select().from(p).where(eq(p.id, id));
  if (!known) throw new Refusal('payments.notFound');
  const { status } = await ask(ctx, known);
  return inTransaction(ctx, async (tx) => {
    const locked = await lockPurchase(tx, id);
    await audit(tx, { action: 'purchase.ask', ...about(locked, { outcome: status }) });
    return locked.purchase;
  });
}
