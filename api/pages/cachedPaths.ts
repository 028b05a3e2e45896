import { anyLanguage } from '../../locales/languages.ts';
import { slotCount } from '../shared/slots.ts';

/** `stalls`: updates for open pages. */
export type Partition = 'market' | 'product' | 'shop' | 'stalls';

const numbers = Array.from({ length: slotCount }, (_, order) => order + 1);
/** Longest list of stalls, and its path. */
const longest = numbers.join().length + 48;
const slot = `(?:${numbers.join('|')})`;
const slug = '[a-z0-9]+(?:-[a-z0-9]+)*';
const market = new RegExp(`^(?:/|/(?:${anyLanguage})/?|(?:/(?:${anyLanguage}))?/how-it-works)$`);
const product = new RegExp(`^(?:/(?:${anyLanguage}))?/shop/(?:slot/${slot}|${slot}(?:/${slug})?)$`);
const shop = new RegExp(`^(?:/(?:${anyLanguage}))?/shops/${slug}$`);
const stalls = new RegExp(`^(?:/(?:${anyLanguage}))?/stalls\\?ids=(\\d{1,2}(?:,\\d{1,2})*)$`);

/** Each once, ascending; any other spelling would be cached separately. */
function isCanonical(ids: string): boolean {
  let last = 0;
  for (const id of ids.split(',')) {
    const number = Number(id);
    if (number <= last || number > slotCount || String(number) !== id) return false;
    last = number;
  }
  return true;
}

/**
 * Only paths in the exact spelling that the market writes are cached, which bounds the number of
 * cache keys.
 */
export function partitionOf(path: string): Partition | undefined {
  if (path.length > longest) return undefined;
  if (market.test(path)) return 'market';
  if (product.test(path)) return 'product';
  if (shop.test(path)) return 'shop';
  const ids = stalls.exec(path)?.[1];
  return ids !== undefined && isCanonical(ids) ? 'stalls' : undefined;
}
