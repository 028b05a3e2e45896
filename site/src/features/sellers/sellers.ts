import type { InferResponseType } from 'hono/client';
import type { ApiClient } from '../../lib/api.ts';
import type { AdminScreen } from '../admin/screen.ts';
import type { SellerWords } from './words.ts';

type SellerPage = InferResponseType<ApiClient['admin']['sellers']['$get'], 200>;
export type Seller = SellerPage['sellers'][number];
export type SellersScreen = AdminScreen<SellerWords>;

/** Actions with a confirmation. */
export type Act = 'verify' | 'unverify' | 'suspend' | 'unsuspend' | 'delete';
export type Asking = { about: Act | 'notify' | 'chatCode'; seller: Seller };

/** Toasts of each action (product §8 Sellers). */
export const sentences = {
  verify: { done: 'verifiedOk', failed: 'verifyFailed' },
  unverify: { done: 'unverifiedOk', failed: 'verifyFailed' },
  suspend: { done: 'suspendedOk', failed: 'suspendFailed' },
  unsuspend: { done: 'unsuspendedOk', failed: 'unsuspendFailed' },
  delete: { done: 'deletedOk', failed: 'deleteFailed' },
} as const satisfies Record<Act, { done: keyof SellerWords; failed: keyof SellerWords }>;

export type Wanted = { about: Act; seller: Seller; reason: string; move: boolean };

export function request({ api }: SellersScreen, { about, seller, reason, move }: Wanted) {
  const one = api.admin.sellers[':id'];
  const param = { id: seller.id };
  if (about === 'suspend') return one.suspend.$post({ param, json: { reason } });
  if (about === 'delete') return one.$delete({ param });
  // The number shown: one changed meanwhile must not be verified unseen.
  if (about === 'verify')
    return one.verify.$post({ param, json: { number: seller.whatsapp, move } });
  return one[about].$post({ param });
}
