/** Prices in credits (product §9). */
export const prices = { post: 2, response: 1, post_update: 2 } as const;
export type ReferenceType = keyof typeof prices;

export const neededFor = {
  post: 'credits.neededForPost',
  response: 'credits.neededForResponse',
  post_update: 'credits.neededForUpdate',
} as const satisfies Record<ReferenceType, string>;
