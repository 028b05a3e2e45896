import { anyLanguage } from '../locales/languages.ts';
import { slotCount } from './core/slots.ts';

/** Where a stored page is kept: those of the market itself, of products, and the answers to open pages that ask for some stalls. */
export type Partition = 'market' | 'product' | 'stalls';

/** No address of a stored page is longer: the numbers of 54 stalls are 152 characters. */
const longest = 200;
const slot = `(?:${Array.from({ length: slotCount }, (_, order) => order + 1).join('|')})`;
const slug = '[a-z0-9]+(?:-[a-z0-9]+)*';
const market = new RegExp(`^(?:/|/(?:${anyLanguage})/?|(?:/(?:${anyLanguage}))?/how-it-works)$`);
const product = new RegExp(`^(?:/(?:${anyLanguage}))?/shop/(?:slot/${slot}|${slot}(?:/${slug})?)$`);
const stalls = new RegExp(`^(?:/(?:${anyLanguage}))?/stalls\\?ids=(\\d{1,2}(?:,\\d{1,2})*)$`);

/** Numbers of stalls as open pages write them: each once, ascending. Any other spelling of the same question would be a page of its own. */
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
 * The partition of a path with its query, when it is written exactly as the market itself writes it; anything else, also what means the
 * same, is answered by the app and never stored: the number of names that a page can be stored under must not be endless.
 */
export function partitionOf(path: string): Partition | undefined {
  if (path.length > longest) return undefined;
  if (market.test(path)) return 'market';
  if (product.test(path)) return 'product';
  const ids = stalls.exec(path)?.[1];
  return ids !== undefined && isCanonical(ids) ? 'stalls' : undefined;
}
