import { folded, type Region, regionNamed, regions } from './regions.ts';
import { townsOf } from './towns.ts';

const countries = new Set(['cameroon', 'cameroun', 'cmr', 'cm']);

const byTown = new Map(
  regions.flatMap((code) =>
    townsOf(code).flatMap((town) =>
      [town.en, town.fr].map((name) => [folded(name), code] as const),
    ),
  ),
);

/** "Bamenda NW" and "Douala Littoral": a town with its region behind it, without a comma. */
function townAndRegion(part: string): { town: Region; named: Region } | undefined {
  const words = folded(part).split(' ');
  for (const count of [2, 1]) {
    const named = regionNamed(words.slice(-count).join(' '));
    const town = byTown.get(words.slice(0, -count).join(' '));
    if (named && town) return { town, named };
  }
  return undefined;
}

const partsOf = (text: string): string[] =>
  text
    .split(/[,;/()]/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !countries.has(folded(part)));

/**
 * Region that a seller's own words give for sure: by its name in either language, or by one of the
 * country's larger towns. Undefined if they name none, several, or a region and a town elsewhere
 * ("Douala, Centre" may be the middle of the town).
 */
export function regionOf(...texts: (string | null | undefined)[]): Region | undefined {
  const named = new Set<Region>();
  const towns = new Set<Region>();
  for (const part of texts.flatMap((text) => partsOf(text ?? ''))) {
    const region = regionNamed(part);
    const town = byTown.get(folded(part));
    const both = region || town ? undefined : townAndRegion(part);
    if (region) named.add(region);
    if (town) towns.add(town);
    if (both) {
      named.add(both.named);
      towns.add(both.town);
    }
  }
  const [sure, ...others] = named.size > 0 ? named : towns;
  if (others.length > 0 || (sure && towns.size > 0 && !towns.has(sure))) return undefined;
  return sure;
}
