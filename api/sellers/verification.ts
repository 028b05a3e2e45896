import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { audit } from '../core/audit.ts';
import type { Tx } from '../core/context.ts';
import type { SellerRow } from './locks.ts';

export type Verified = { id: string; verified: boolean; verifiedBy: 'chat' | 'admin' | null };

export async function withdrawVerification(
  tx: Tx,
  { id, verifiedBy, verifiedAt }: SellerRow,
  why: { movedTo?: string; by?: 'phone' } = {},
): Promise<void> {
  const { sellers } = schema;
  await tx.db
    .update(sellers)
    .set({
      verified: false,
      verifiedBy: null,
      verifiedAt: null,
      verifiedWhatsapp: null,
      updatedAt: tx.now(),
    })
    .where(eq(sellers.id, id));
  await audit(tx, {
    action: 'seller.unverify',
    subjectKind: 'seller',
    subjectId: id,
    before: { verified: true, verifiedBy, verifiedAt },
    after: { verified: false, ...why },
  });
}
