import { type Language, languages } from '../../../locales/languages.ts';

const reservedSlug = 'details';

export type PathOptions = { language: Language; prefixed: boolean };

/**
 * Address of a page, with a language prefix only where the reader's own address has one (product
 * R40).
 */
export function path(to: string, { language, prefixed }: PathOptions): string {
  const plain = unprefixed(to).path;
  if (!prefixed) return plain;
  return plain === '/' || /^\/[?#]/.test(plain)
    ? `/${language}${plain.slice(1)}`
    : `/${language}${plain}`;
}

/**
 * Writes a page's links with its language prefix. Addresses sent to others and language links omit
 * it.
 */
export const linker =
  (page: PathOptions) =>
  (to: string): string =>
    path(to, page);

export function unprefixed(address: string): { path: string; language: Language | null } {
  const found = /^\/([a-z]{2})(?=$|[/?#])/.exec(address);
  const language = languages.find((known) => known === found?.[1]);
  if (!language) return { path: address, language: null };
  const rest = address.slice(3);
  return { path: rest.startsWith('/') ? rest : `/${rest}`, language };
}

export function slotPath(slotId: number): string {
  return `/shop/slot/${slotId}`;
}

/** Throws a RangeError for the reserved slug. */
export function productPath(slotId: number, slug: string): string {
  if (slug === reservedSlug) throw new RangeError(`'${reservedSlug}' is a page, not a product`);
  return `/shop/${slotId}/${encodeURIComponent(slug)}`;
}

export function detailsPath(slotId: number): string {
  return `/shop/${slotId}/${reservedSlug}`;
}

export type Alternates = Record<Language | 'x-default', string>;

export function alternates(address: string, origin = ''): Alternates {
  const plain = unprefixed(address).path;
  const of = (language: Language) => origin + path(plain, { language, prefixed: true });
  return Object.fromEntries([
    ...languages.map((language) => [language, of(language)]),
    ['x-default', origin + plain],
  ]) as Alternates;
}
