import { folded, type Region, regionNamed, regions } from './regions.ts';
import { type Town, townsOf } from './towns.ts';

export type ListedTown = Town & { region: Region };

/** All towns of the list, with their regions. */
export const towns: readonly ListedTown[] = regions.flatMap((region) =>
  townsOf(region).map((town) => ({ ...town, region })),
);
const byName = new Map(
  towns.flatMap((town) => [town.en, town.fr].map((name) => [folded(name), town] as const)),
);

/** "Bamenda NW" is a town with its region behind it. */
function inPart(part: string): { town?: ListedTown | undefined; region?: Region | undefined } {
  const words = folded(part).split(' ');
  const whole = { town: byName.get(words.join(' ')), region: regionNamed(part) };
  if (whole.town || whole.region) return whole;
  for (const count of [2, 1]) {
    const region = regionNamed(words.slice(-count).join(' '));
    const town = byName.get(words.slice(0, -count).join(' '));
    if (region && town) return { town, region };
  }
  return {};
}

/**
 * The listed town that a place names. `alone`: with nothing but its region beside it. Undefined
 * without a town, with several, or beside another region's name.
 */
export function townNamed(text: string): { town: ListedTown; alone: boolean } | undefined {
  const parts = text.split(/[,;/()]/).filter((part) => folded(part) !== '');
  const read = parts.map(inPart);
  const [town, ...others] = new Set(read.flatMap((part) => part.town ?? []));
  if (!town || others.length > 0) return undefined;
  if (read.some(({ region }) => region && region !== town.region)) return undefined;
  return { town, alone: read.every((part) => part.town || part.region) };
}
