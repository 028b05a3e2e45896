import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { inTransaction } from '../core/transaction.ts';
import { lockSeller, tellSeller } from './suspend.ts';

export type Verified = { id: string; verified: boolean; verifiedBy: 'admin' | null };

/**
 * Verifies a seller by hand (decision 21): the badge then says that the team did. The seller is told. Refuses `sellers.notFound`,
 * `conflict` when the seller is verified already, by the chat bot or another admin.
 */
export async function verifySeller(ctx: Ctx, sellerId: string): Promise<Verified> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const seller = await lockSeller(tx, sellerId);
    if (seller.verified) throw new Refusal('conflict');
    const now = tx.now();
    await tx.db.update(schema.sellers).set({ verified: true, verifiedBy: 'admin', verifiedAt: now, updatedAt: now }).where(eq(schema.sellers.id, sellerId));
    await audit(tx, {
      action: 'seller.verify',
      subjectKind: 'seller',
      subjectId: sellerId,
      before: { verified: false },
      after: { verified: true, verifiedBy: 'admin' },
    });
    await tellSeller(tx, seller, 'sellerVerified', {}, 'seller/dashboard');
    return { id: sellerId, verified: true, verifiedBy: 'admin' };
  });
}

/** Withdraws a verification, whoever gave it. Refuses `sellers.notFound`, `conflict` when there is none. */
export async function unverifySeller(ctx: Ctx, sellerId: string): Promise<Verified> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const seller = await lockSeller(tx, sellerId);
    if (!seller.verified) throw new Refusal('conflict');
    await tx.db.update(schema.sellers).set({ verified: false, verifiedBy: null, verifiedAt: null, updatedAt: tx.now() }).where(eq(schema.sellers.id, sellerId));
    await audit(tx, {
      action: 'seller.unverify',
      subjectKind: 'seller',
      subjectId: sellerId,
      before: { verified: true, verifiedBy: seller.verifiedBy, verifiedAt: seller.verifiedAt },
      after: { verified: false },
    });
    return { id: sellerId, verified: false, verifiedBy: null };
  });
}
