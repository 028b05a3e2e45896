/** Where each is at home: whoever has signed in and wants no page in particular. */
export const homes = {
  admin: '/admin/dashboard',
  seller: '/seller/dashboard',
  member: '/account',
} as const;

/** Where sellers and members sign in and sign up; an account is the same behind both (decision 039). */
export const doors = { seller: '/seller/auth', member: '/sign-in' } as const;
export type Side = keyof typeof doors;

/** Whose door leads to a page: the sellers' to the tools, and where none is wanted; the members' to every other. */
export const sideOf = (next: string | undefined): Side =>
  next === undefined || /^(?:\/[a-z]{2})?\/(?:seller|admin)(?=$|[/?#])/.test(next)
    ? 'seller'
    : 'member';
