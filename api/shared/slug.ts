/** Eight digits that end a slug; unique enough among the stalls (api/products/reference.ts). */
export const productCode = (id: string): string => id.slice(0, 8);

/** Readable in a message, and short enough for a link per slot on a page. */
const longestWords = 24;
const longestShopWords = 40;

/** Small Latin letters and digits of a name, with hyphens between words; may be empty. */
function wordsIn(name: string, longest: number): string {
  const all = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/œ/gi, 'oe')
    .replaceAll(/æ/gi, 'ae')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  // Cut at a word's end if possible.
  return all.length > longest
    ? all
        .slice(0, longest + 1)
        .replace(/-[^-]*$/, '')
        .slice(0, longest)
    : all;
}

/** Slug of a product; the {@link productCode} keeps it unique and away from reserved words. */
export function slugOf(name: string, id: string): string {
  const words = wordsIn(name, longestWords);
  const tail = productCode(id);
  return words ? `${words}-${tail}` : tail;
}

export const codeInSlug = (slug: string): string | undefined =>
  /(?:^|-)([0-9a-f]{8})$/.exec(slug)?.[1];

/** Words that no shop may be called by: they would look like the market's own pages or offices. */
const reserved = new Set(
  (
    'about account admin administration aide annonce annonces api app assistance boutique boutiques ' +
    'category connect contact demo edit en equipe fr help home index legal login logout marche marche-54 marche54 ' +
    'market media moderation moderator new official officiel pay payment payments paiement privacy queue region ' +
    'report reports root search security securite seller sellers settings shop shops sign-in sitemap staff stall ' +
    'stalls static support system team terms test user users verification verified verifie www'
  ).split(' '),
);

const isReservedSlug = (slug: string): boolean => reserved.has(slug);

/** True for a name that only says a reserved word; a shop may not have it. */
export const isReservedName = (name: string): boolean =>
  isReservedSlug(wordsIn(name, longestShopWords));

/**
 * Slug of a shop's name before it is made unique. A name without Latin letters or digits gives
 * `shop` and the seller's code.
 */
export function shopSlugOf(name: string, sellerId: string): string {
  const words = wordsIn(name, longestShopWords);
  return words && !isReservedSlug(words) ? words : `${words || 'shop'}-${productCode(sellerId)}`;
}
