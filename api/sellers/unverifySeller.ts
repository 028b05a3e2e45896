import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { tooLate } from '../core/meanwhile.ts';
import { inTransaction } from '../core/transaction.ts';
import { lockSeller } from './locks.ts';
import { type Verified, withdrawVerification } from './verification.ts';

/** Withdraws any verification. Refuses `sellers.notFound`, `conflict` if there is none. */
export async function unverifySeller(ctx: Ctx, sellerId: string): Promise<Verified> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const seller = await lockSeller(tx, sellerId);
    if (!seller.verified) throw tooLate(tx, 'unverified');
    await withdrawVerification(tx, seller);
    return { id: sellerId, verified: false, verifiedBy: null };
  });
}
