/** Eight digits that end a slug; unique enough among the stalls (api/products/reference.ts). */
export const productCode = (id: string): string => id.slice(0, 8);

export const codeInSlug = (slug: string): string | undefined =>
  /(?:^|-)([0-9a-f]{8})$/.exec(slug)?.[1];
