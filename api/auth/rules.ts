/** Page after signing in when no other is wanted. */
export const homes = {
  admin: '/admin',
  seller: '/seller/dashboard',
  member: '/account',
} as const;

/** Sign-in pages; the account is the same behind both (decision 006). */
export const signInPages = { seller: '/seller/auth', member: '/sign-in' } as const;
export type Side = keyof typeof signInPages;

/** Sellers' page for seller and admin paths or none; members' for every other. */
export const sideOf = (next: string | undefined): Side =>
  next === undefined || /^(?:\/[a-z]{2})?\/(?:seller|admin)(?=$|[/?#])/.test(next)
    ? 'seller'
    : 'member';
