import type { OwnAccount } from './screen.ts';

type Stakes = OwnAccount['stakes'];

/** Sentence keys for what the deletion request has ended. */
export const ended = ({ listings, posts }: Stakes) => [
  ...(listings > 0 ? [{ key: 'leaving.listings', count: listings } as const] : []),
  ...(posts > 0 ? [{ key: 'leaving.posts', count: posts } as const] : []),
];

/** Sentence keys for what a deletion would lose. */
export const losing = ({ listings, posts, credits }: Stakes) => [
  ...(listings > 0 ? [{ key: 'delete.listings', count: listings } as const] : []),
  ...(posts > 0 ? [{ key: 'delete.posts', count: posts } as const] : []),
  ...(credits > 0 ? [{ key: 'delete.credits', count: credits } as const] : []),
];
