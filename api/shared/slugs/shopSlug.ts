import { productCode } from './productCode.ts';
import { slugWords } from './slug.ts';

const longestShopWords = 40;

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
  isReservedSlug(slugWords(name, longestShopWords));

/**
 * Slug of a shop's name before it is made unique. A name without Latin letters or digits gives
 * `shop` and the seller's code.
 */
export function shopSlugOf(name: string, sellerId: string): string {
  const words = slugWords(name, longestShopWords);
  return words && !isReservedSlug(words) ? words : `${words || 'shop'}-${productCode(sellerId)}`;
}
