import { translator } from '../../../locales/index.ts';
import type { Language } from '../../../locales/languages.ts';
import { placeParts, type Region } from './regions.ts';

/** Place in the reader's language: the writer's own words, with the region's name (decision 070). */
export const placeWords = (
  language: Language,
  texts: readonly (string | null | undefined)[],
  region: Region | null,
): string[] =>
  placeParts(
    texts,
    region,
    region ? translator(language, 'common')(`regions.${region}`) : undefined,
  );
