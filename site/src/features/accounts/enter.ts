import type { InferResponseType } from 'hono/client';
import type { ApiClient } from '../../lib/api.ts';
import { unwrap } from '../../lib/api.ts';
import { linker } from '../../lib/paths.ts';
import { signInFirst } from './frame.ts';

type Me = InferResponseType<ApiClient['auth']['me']['$get'], 200>;
export type OwnSeller = NonNullable<Me['seller']>;

/**
 * Redirect away from a seller page (product §2): visitors to sign-in, admins to their own pages.
 * Undefined for sellers, also suspended ones, who see the reason.
 */
export function elsewhere(locals: App.Locals, here: string): string | undefined {
  const to = linker(locals);
  const { role } = locals.viewer;
  if (role === 'visitor') return signInFirst(locals, here);
  if (role === 'moderator') return to('/admin');
  if (role === 'admin')
    return to(here === '/seller/dashboard' ? '/admin/dashboard' : '/admin/products/upload');
  return undefined;
}

/** The user's seller profile, or null. Throws when the API fails. */
export async function ownSeller(locals: App.Locals): Promise<OwnSeller | null> {
  return (await unwrap(locals.api.auth.me.$get(), '')).seller;
}

/** Checks that the profile suffices for a listing: name, number, place (product §2 upload). */
export function canList(seller: OwnSeller | null): seller is OwnSeller {
  return Boolean(seller?.name && seller.whatsapp && seller.location);
}
