import { type Language, languages } from '../../locales/languages.ts';
import { splitLocation } from '../products/rules.ts';
import { standingOf } from '../sellers/rules.ts';
import { hasPhoneNumber } from '../shared/contact/phoneNumbers.ts';
import { placeWords } from '../shared/places/placeWords.ts';
import type { OpenShop } from './find.ts';

/** What the public may see of a seller with a shop (product R50). */
export function presentShop(seller: OpenShop) {
  return {
    name: seller.businessName,
    place: placeOf(seller),
    verified: standingOf(seller).verified ? seller.verifiedBy : null,
    since: seller.createdAt.toISOString(),
  };
}
export type PresentedShop = ReturnType<typeof presentShop>;

/** The seller's own words without anything that reads as a number, in each language. */
function placeOf({ location, region }: OpenShop): Record<Language, string> | null {
  const { city, region: words } = splitLocation(location ?? '');
  const texts = hasPhoneNumber(location ?? '') ? [] : [city, words];
  if (texts.every((text) => !text) && !region) return null;
  return Object.fromEntries(
    languages.map((language) => [language, placeWords(language, texts, region).join(', ')]),
  ) as Record<Language, string>;
}
