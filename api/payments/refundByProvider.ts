import { eq } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { once } from '../core/idempotency.ts';
import { inTransaction } from '../core/transaction.ts';
import { Refusal } from '../shared/errors.ts';
import { leaseMs } from './ask.ts';
import { askAboutRefund } from './askAboutRefunds.ts';
import { about, adapterOf } from './purchase.ts';
import { openRefund } from './refund.ts';
import type { refundOrder } from './schema.ts';

const { refunds: r } = schema;

/**
 * Orders the provider of a purchase to give money back; the credits are taken back once it has.
 * Idempotent by its key. Refuses as `openRefund`, and `payments.refundByHand` if the provider cannot.
 */
export async function refundByProvider(
  ctx: Ctx,
  id: string,
  given: z.output<typeof refundOrder>,
  idempotencyKey: string,
): Promise<{ id: string }> {
  requireAdmin(ctx);
  const order = await inTransaction(ctx, (tx) =>
    once(tx, userIdOf(ctx.actor) ?? 'job', idempotencyKey, { order: id, ...given }, async () => {
      const lease = new Date(tx.now().getTime() + leaseMs);
      const { locked, refund } = await openRefund(tx, id, given, lease);
      const { purchase } = locked;
      if (!adapterOf(tx, purchase)?.refund || purchase.purchaseMethod === 'cash_partner')
        throw new Refusal('payments.refundByHand');
      const { amount, reason } = given;
      await audit(tx, { action: 'purchase.refundOrder', ...about(locked, { amount, reason }) });
      return { id: refund.id };
    }),
  );
  const [refund] = await ctx.db.select().from(r).where(eq(r.id, order.id));
  if (refund?.status === 'pending' && refund.startedAt === null) await askAboutRefund(ctx, refund);
  return { id };
}
