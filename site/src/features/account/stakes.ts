import type { OwnAccount } from './screen.ts';

type Stakes = OwnAccount['stakes'];

/** The keys of the sentences about what the request to delete an account has ended, without those that do not apply. */
export const ended = ({ listings, posts }: Stakes) => [
  ...(listings > 0 ? [{ key: 'leaving.listings', count: listings } as const] : []),
  ...(posts > 0 ? [{ key: 'leaving.posts', count: posts } as const] : []),
];

/** The same for what will be lost, before it is asked for. */
export const losing = ({ listings, posts, credits }: Stakes) => [
  ...(listings > 0 ? [{ key: 'delete.listings', count: listings } as const] : []),
  ...(posts > 0 ? [{ key: 'delete.posts', count: posts } as const] : []),
  ...(credits > 0 ? [{ key: 'delete.credits', count: credits } as const] : []),
];
