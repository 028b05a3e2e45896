import type { Bilingual, Language } from '../../locales/languages.ts';

export type Lane = 'queue:featured' | 'queue:regular';
type ListingType = 'standard' | 'featured';

/** Listing fee in XAF by days, 1 to 5 (product §9). */
const fees: Record<ListingType, readonly number[]> = {
  standard: [1000, 2000, 3000, 4000, 4500],
  featured: [2500, 5000, 7500, 8000, 9000],
};

/** The fee of a listing in XAF: hours are rounded up to days (product §9, product R31). Throws beyond five days. */
export function listingFee(hours: number, type: ListingType): number {
  const fee = fees[type][Math.ceil(hours / 24) - 1];
  if (fee === undefined) throw new RangeError(`There is no fee for ${hours} hours`);
  return fee;
}

/** The queue that an approved product waits in (product §4). */
export function laneOf(type: ListingType): Lane {
  return type === 'featured' ? 'queue:featured' : 'queue:regular';
}

/** Splits 'City, Region' at its first comma (product §5). */
export function splitLocation(location: string): { city: string; region: string } {
  const comma = location.indexOf(',');
  if (comma < 0) return { city: location.trim(), region: '' };
  return { city: location.slice(0, comma).trim(), region: location.slice(comma + 1).trim() };
}

/** A text in the page's language: the other language, then nothing, when it is missing (product §3 fallbacks are the caller's). */
export function inLanguage(text: Bilingual | null, language: Language): string | undefined {
  if (text === null) return undefined;
  if (typeof text === 'string') return text.trim() || undefined;
  const other = language === 'en' ? 'fr' : 'en';
  return text[language]?.trim() || text[other]?.trim() || undefined;
}

/** The eight digits that end a product's slug: enough to tell it among the stalls (see `reference.ts`). */
export const productCode = (id: string): string => id.slice(0, 8);

/** How long the words of an address may get: enough to know the product by in a message, and what 54 links of a page can afford. */
const longestWords = 24;

/** Makes the readable part of an address: the first words in lower case ASCII, joined by hyphens; `id` keeps it unique and away from reserved words. */
export function slugOf(name: string, id: string): string {
  const all = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/œ/gi, 'oe')
    .replaceAll(/æ/gi, 'ae')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  // At the end of a word, where one ends in time.
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

/** The {@link productCode} that a slug ends with. */
export const codeInSlug = (slug: string): string | undefined => /(?:^|-)([0-9a-f]{8})$/.exec(slug)?.[1];

/** What a payer writes on the transfer: short, unambiguous to read aloud (no 0/O, 1/I). */
export function feeReferenceOf(id: string): string {
  const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
  let number = BigInt(`0x${id.replaceAll('-', '').slice(0, 10)}`);
  let reference = '';
  for (let i = 0; i < 8; i++) {
    reference = alphabet[Number(number % 32n)] + reference;
    number /= 32n;
  }
  return `M54-${reference.slice(0, 4)}-${reference.slice(4)}`;
}

export type CompletenessInput = {
  name: Bilingual | null;
  description: Bilingual | null;
  images: readonly unknown[];
  price: number | null;
  durationSeconds: number | null;
  category: string | null;
  sellerName: string | null;
  sellerWhatsapp: string | null;
  sellerLocation: string | null;
  city: string | null;
  paymentMethod: string | null;
};

/** The fields that a product lacks, by the names of the integrity report (product §2 Data Integrity, product R12). */
export function missingFields(product: CompletenessInput): string[] {
  const english = (text: Bilingual | null) => (typeof text === 'string' ? text : text?.en)?.trim() ?? '';
  const missing: string[] = [];
  if (english(product.name).length < 3) missing.push('name');
  if (english(product.description).length < 10) missing.push('description');
  if (product.images.length === 0) missing.push('images');
  if (product.price === null || product.price < 100) missing.push('price');
  if (product.durationSeconds === null) missing.push('duration_seconds');
  if (product.category === null) missing.push('category');
  if (!product.sellerName?.trim()) missing.push('seller_name');
  if (!product.sellerWhatsapp) missing.push('seller_whatsapp');
  if (!product.sellerLocation?.trim() && !product.city?.trim()) missing.push('seller_location');
  if (product.paymentMethod === null) missing.push('payment_method');
  return missing;
}
