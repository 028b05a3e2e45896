import { type Region, regions } from '../../../db/regions.ts';

export { type Region, regions };

/** Folded names of the regions, and short forms in use. */
const names: Record<Region, readonly string[]> = {
  adamawa: ['adamawa', 'adamaoua'],
  centre: ['centre', 'center'],
  east: ['east', 'est'],
  'far-north': ['far north', 'extreme nord', 'farnorth'],
  littoral: ['littoral'],
  north: ['north', 'nord'],
  'north-west': ['north west', 'nord ouest', 'northwest', 'nordouest', 'nw'],
  south: ['south', 'sud'],
  'south-west': ['south west', 'sud ouest', 'southwest', 'sudouest', 'sw'],
  west: ['west', 'ouest'],
};

const byName = new Map(regions.flatMap((code) => names[code].map((name) => [name, code] as const)));

/** Words that say nothing about which region: "Region of the North West", "Province de l'Ouest". */
const fillers = new Set(['region', 'province', 'of', 'the', 'de', 'du', 'la', 'le', 'l']);

/** Lower-case words without accents or signs: "Sa’a" is "sa a". */
export const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();

/** Region that a part of an address names: "North-West", "région du Nord-Ouest", "NW". */
export function regionNamed(part: string): Region | undefined {
  const words = folded(part).split(' ');
  return byName.get(words.filter((word) => !fillers.has(word)).join(' '));
}

/**
 * Parts of a place for a reader: the seller's own words, with the region's name in the reader's
 * language instead of theirs, or behind them if they name none.
 * @param name the region's name in the reader's language; undefined if the region is not known
 */
export function placeParts(
  texts: readonly (string | null | undefined)[],
  region: Region | null | undefined,
  name: string | undefined,
): string[] {
  const own = texts.map((text) => text?.trim() ?? '').filter((text) => text !== '');
  if (!region || !name) return [...new Set(own)];
  let shown = false;
  const parts = own.flatMap((text) =>
    text.split(',').map((part) => {
      if (regionNamed(part) !== region) return part.trim();
      shown = true;
      return name;
    }),
  );
  return [...new Set(shown ? parts : [...parts, name])].filter((part) => part !== '');
}
