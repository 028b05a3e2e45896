import { type Language, languages } from '../../../locales/languages.ts';

/** The slug that `/shop/{slotId}/{slug}` must never mean: it would be the full details page. */
const reservedSlug = 'details';

export type PathOptions = { language: Language; prefixed: boolean };

/** An address of this site for a page in a language: with the prefix only where the reader's own address had one (product R40). */
export function path(to: string, { language, prefixed }: PathOptions): string {
  const plain = unprefixed(to).path;
  if (!prefixed) return plain;
  return plain === '/' || /^\/[?#]/.test(plain)
    ? `/${language}${plain.slice(1)}`
    : `/${language}${plain}`;
}

/**
 * Writes the links of a page, all of them: in the form that its own address has, so that who came by `/fr/…` stays there. Only what is sent
 * to others (`slotPath` in a clipboard) and what names the languages themselves goes without it.
 */
export const linker =
  (page: PathOptions) =>
  (to: string): string =>
    path(to, page);

/** Takes the language prefix off an address, and says which it was. */
export function unprefixed(address: string): { path: string; language: Language | null } {
  const found = /^\/([a-z]{2})(?=$|[/?#])/.exec(address);
  const language = languages.find((known) => known === found?.[1]);
  if (!language) return { path: address, language: null };
  const rest = address.slice(3);
  return { path: rest.startsWith('/') ? rest : `/${rest}`, language };
}

/** What is in the slot now, whatever it is. */
export function slotPath(slotId: number): string {
  return `/shop/slot/${slotId}`;
}

/** The canonical page of a product in its slot. */
export function productPath(slotId: number, slug: string): string {
  if (slug === reservedSlug) throw new RangeError(`'${reservedSlug}' is a page, not a product`);
  return `/shop/${slotId}/${encodeURIComponent(slug)}`;
}

/** The full details of what is in the slot. */
export function detailsPath(slotId: number): string {
  return `/shop/${slotId}/${reservedSlug}`;
}

export type Alternates = Record<Language | 'x-default', string>;

/** The addresses of the same page in every language, absolute when the site's origin is given. */
export function alternates(address: string, origin = ''): Alternates {
  const plain = unprefixed(address).path;
  const of = (language: Language) => origin + path(plain, { language, prefixed: true });
  return Object.fromEntries([
    ...languages.map((language) => [language, of(language)]),
    ['x-default', origin + plain],
  ]) as Alternates;
}
