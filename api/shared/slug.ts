/** Eight digits that end a slug; unique enough among the stalls (api/products/reference.ts). */
export const productCode = (id: string): string => id.slice(0, 8);

/** Readable in a message, and short enough for a link per slot on a page. */
const longestWords = 24;

/** Slug of a product; the {@link productCode} keeps it unique and away from reserved words. */
export function slugOf(name: string, id: string): string {
  const all = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/œ/gi, 'oe')
    .replaceAll(/æ/gi, 'ae')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  // Cut at a word's end if possible.
  const words =
    all.length > longestWords
      ? all
          .slice(0, longestWords + 1)
          .replace(/-[^-]*$/, '')
          .slice(0, longestWords)
      : all;
  const tail = productCode(id);
  return words ? `${words}-${tail}` : tail;
}

export const codeInSlug = (slug: string): string | undefined =>
  /(?:^|-)([0-9a-f]{8})$/.exec(slug)?.[1];
