import type { InferResponseType } from 'hono/client';
import type { ApiClient } from '../../lib/api.ts';
import type { useDesk } from '../admin/desk.tsx';
import type { SellerWords } from './words.ts';

export type SellerPage = InferResponseType<ApiClient['admin']['sellers']['$get'], 200>;
export type Seller = SellerPage['sellers'][number];
/** What the parts of the seller management work with. */
export type SellersDesk = ReturnType<typeof useDesk<SellerWords>>;

/** What can be done to a seller after a question. */
export type Act = 'verify' | 'unverify' | 'suspend' | 'unsuspend' | 'delete';
export type Asking = { about: Act | 'notify'; seller: Seller };

/** The sentences of each act (product §8 Sellers). */
export const sentences = {
  verify: { done: 'verifiedOk', failed: 'verifyFailed' },
  unverify: { done: 'unverifiedOk', failed: 'verifyFailed' },
  suspend: { done: 'suspendedOk', failed: 'suspendFailed' },
  unsuspend: { done: 'unsuspendedOk', failed: 'unsuspendFailed' },
  delete: { done: 'deletedOk', failed: 'deleteFailed' },
} as const satisfies Record<Act, { done: keyof SellerWords; failed: keyof SellerWords }>;

export type Wish = { about: Act; seller: Seller; reason: string; move: boolean };

/** The request of an act. */
export function request({ api }: SellersDesk, { about, seller, reason, move }: Wish) {
  const one = api.admin.sellers[':id'];
  const param = { id: seller.id };
  if (about === 'suspend') return one.suspend.$post({ param, json: { reason } });
  if (about === 'delete') return one.$delete({ param });
  // The number that the admin looks at: one that was changed meanwhile is not verified unseen.
  if (about === 'verify') return one.verify.$post({ param, json: { number: seller.whatsapp, move } });
  return one[about].$post({ param });
}
