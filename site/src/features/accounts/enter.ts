import type { InferResponseType } from 'hono/client';
import type { ApiClient } from '../../lib/api.ts';
import { unwrap } from '../../lib/api.ts';
import { linker } from '../../lib/paths.ts';
import { signInFirst } from './frame.ts';

type Me = InferResponseType<ApiClient['auth']['me']['$get'], 200>;
export type OwnSeller = NonNullable<Me['seller']>;

/**
 * Where someone must go instead of a page of the seller's side (product §2): visitors to sign in, admins to their own side.
 * Nothing when they may stay; a suspended seller may, and sees why.
 */
export function elsewhere(locals: App.Locals, here: string): string | undefined {
  const to = linker(locals);
  const { role } = locals.viewer;
  if (role === 'visitor') return signInFirst(locals, here);
  if (role === 'admin')
    return to(here === '/seller/dashboard' ? '/admin/dashboard' : '/admin/products/upload');
  return undefined;
}

/** The acting person's own profile; nothing when there is none yet. Throws when it cannot be read. */
export async function ownSeller(locals: App.Locals): Promise<OwnSeller | null> {
  return (await unwrap(locals.api.auth.me.$get(), '')).seller;
}

/** Whether a product can be listed with this profile: name, number and place are there (product §2 upload). */
export function canList(seller: OwnSeller | null): seller is OwnSeller {
  return Boolean(seller?.name && seller.whatsapp && seller.location);
}
