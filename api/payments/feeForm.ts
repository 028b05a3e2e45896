import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount, requireSeller } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { countAttempt } from '../core/limits.ts';
import type { PaymentNetwork } from '../core/ports.ts';
import { seal, unseal } from '../outbox/sealing.ts';
import { Refusal } from '../shared/errors.ts';
import { adapterFor } from './begin.ts';
import { predictNetwork } from './payers.ts';

const { listings: l, products, purchases: p } = schema;
const purpose = 'marche54 payer number';

/** Seals what was typed for the address of the form, so that no number reaches a log. */
export const sealTyped = (ctx: Ctx, typed: string): string =>
  seal(ctx.services.secret, purpose, requireAccount(ctx).userId, typed);

function openTyped(ctx: Ctx, userId: string, kept: string | undefined): string | undefined {
  try {
    return kept && unseal(ctx.services.secret, purpose, userId, kept);
  } catch {
    return undefined;
  }
}

/**
 * A due fee of one's own as its form shows it, with the number that was typed or the seller's own.
 * Refuses `products.notFound`, `payments.methodAway`.
 */
export async function feeForm(ctx: Ctx, reference: string, kept?: string) {
  const { id, userId, whatsapp } = requireSeller(ctx);
  const { testMode, needsNumber = false } = adapterFor(ctx, 'mobile_money');
  const [fee] = await ctx.db
    .select({ listing: l.id, amount: l.fee, state: l.feeState, product: products.name })
    .from(l)
    .innerJoin(products, eq(products.id, l.productId))
    .where(and(eq(l.feeReference, reference), eq(products.sellerId, id)));
  if (!fee?.amount) throw new Refusal('products.notFound');
  const [open] = await ctx.db
    .select({ id: p.id })
    .from(p)
    .where(and(eq(p.listingId, fee.listing), eq(p.status, 'pending')));
  return {
    amount: fee.amount,
    due: fee.state === 'due',
    product: fee.product,
    payment: open?.id ?? null,
    ...{ testMode, needsNumber },
    phone: openTyped(ctx, userId, kept) ?? whatsapp ?? '',
  };
}

/** Network of a number as its provider predicts it; null if it cannot. */
export async function networkOfNumber(
  ctx: Ctx,
  number: string,
): Promise<{ network: PaymentNetwork | null }> {
  const { userId } = requireAccount(ctx);
  await countAttempt(ctx, `network:${userId}`, 60, 3600, 'tooManyRequests');
  const network = await predictNetwork(ctx, adapterFor(ctx, 'mobile_money'), number);
  return { network: network ?? null };
}
