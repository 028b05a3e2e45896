import type { Bilingual } from '../../locales/languages.ts';

/** Splits 'City, Region' at its first comma (product §5). */
export function splitLocation(location: string): { city: string; region: string } {
  const comma = location.indexOf(',');
  if (comma < 0) return { city: location.trim(), region: '' };
  return { city: location.slice(0, comma).trim(), region: location.slice(comma + 1).trim() };
}

/** Eight digits that end a slug; unique enough among the stalls (see `reference.ts`). */
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

/** Key in `seller.json` of the payment sentence (product R31). */
export function payInstruction(
  method: 'mtn_momo' | 'orange_money' | 'cash' | null,
  payee: { number: string; payee: string } | undefined,
): 'fee.instruction' | 'fee.instructionCash' | 'fee.noInstruction' {
  if (!method || !payee?.payee) return 'fee.noInstruction';
  if (method === 'cash') return 'fee.instructionCash';
  return payee.number ? 'fee.instruction' : 'fee.noInstruction';
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

export type MissingField =
  | 'name'
  | 'description'
  | 'images'
  | 'price'
  | 'duration_seconds'
  | 'category'
  | 'seller_name'
  | 'seller_whatsapp'
  | 'seller_location'
  | 'payment_method';

/** Fields that a product lacks (product §2 Data Integrity, product R12). */
export function missingFields(product: CompletenessInput): MissingField[] {
  const english = (text: Bilingual | null) =>
    (typeof text === 'string' ? text : text?.en)?.trim() ?? '';
  const missing: MissingField[] = [];
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

/** Actions an admin can take in review, by the rules of the verbs (product R20). */
export function adminCan({
  status,
  withdrawnAt,
  suspended,
  missing,
}: {
  status: string;
  withdrawnAt: Date | null;
  suspended: boolean;
  missing: readonly string[];
}): { approve: boolean; approveAnyway: boolean; recheck: boolean } {
  const approvable = status === 'pending' && withdrawnAt === null && !suspended;
  return {
    approve: approvable && missing.length === 0,
    approveAnyway: approvable,
    recheck: approvable || status === 'approved' || status === 'active',
  };
}
