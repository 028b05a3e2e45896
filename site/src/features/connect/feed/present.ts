import { placeWords } from '../../../../../api/shared/places/placeWords.ts';
import type { Region } from '../../../../../api/shared/places/regions.ts';
import type { Language } from '../../../../../locales/languages.ts';

export { budgetText } from '../../../../../api/connect/rules.ts';

/** Place of a post from near to far, without duplicates, with its region in the reader's language. */
export function placeText(
  {
    location,
    city,
    region,
    regionCode,
  }: {
    location: string | null;
    city: string | null;
    region: string | null;
    regionCode: Region | null;
  },
  language: Language,
): string {
  return placeWords(language, [location, city, region], regionCode).join(', ');
}
