import type { InferResponseType } from 'hono/client';
import type { ApiClient } from '../../lib/api.ts';
import type { AdminScreen } from '../admin/screen.ts';
import type { SellerWords } from './words.ts';

type SellerPage = InferResponseType<ApiClient['admin']['sellers']['$get'], 200>;
export type Seller = SellerPage['sellers'][number];
/** What the parts of the seller management work with. */
export type SellersScreen = AdminScreen<SellerWords>;

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

export type Wanted = { about: Act; seller: Seller; reason: string; move: boolean };

/** The request of an act. */
export function request({ api }: SellersScreen, { about, seller, reason, move }: Wanted) {
  const one = api.admin.sellers[':id'];
  const param = { id: seller.id };
  if (about === 'suspend') return one.suspend.$post({ param, json: { reason } });
  if (about === 'delete') return one.$delete({ param });
  // The number that the admin looks at: one that was changed meanwhile is not verified unseen.
  if (about === 'verify')
    return one.verify.$post({ param, json: { number: seller.whatsapp, move } });
  return one[about].$post({ param });
}
