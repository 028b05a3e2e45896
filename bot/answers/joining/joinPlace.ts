import { slipsBetween } from '../../../api/search/slips.ts';
import { folded, type Region, regionNamed, regions } from '../../../api/shared/places/regions.ts';
import { type ListedTown, townNamed, towns } from '../../../api/shared/places/townNamed.ts';
import { inLanguage } from '../../../api/shared/text.ts';
import { paragraphs, rows, short } from '../../delivery/layout.ts';
import { common } from '../say.ts';
import type { Button, Reply, Turn } from '../types.ts';

const mostOffered = 6;

const nameOf = ({ ctx }: Turn, { en, fr }: ListedTown): string =>
  inLanguage({ en, fr }, ctx.language) ?? en;

const placeOf = (turn: Turn, town: ListedTown): string =>
  `${nameOf(turn, town)}, ${common(turn.ctx.language)(`regions.${town.region}`)}`;

/** The place as the list spells it; longer ones stay as written. Undefined without a known town. */
export function knownPlace(turn: Turn, text: string): string | undefined {
  const found = townNamed(text);
  if (!found) return undefined;
  return found.alone ? placeOf(turn, found.town) : text;
}

/** Towns to offer: of the named region, else of nearly the same name, else the regions' seats. */
function near(text: string): readonly ListedTown[] {
  const parts = text.split(/[,;/()]/);
  const region = parts.map((part) => regionNamed(part)).find((one) => one !== undefined);
  const wanted = parts.map(folded).filter((part) => part.length > 2 && !regionNamed(part));
  const reach = (length: number) => (length >= 7 ? 2 : length >= 4 ? 1 : 0);
  const rated = towns.flatMap((town) => {
    const names = [...new Set([folded(town.en), folded(town.fr)])];
    const slips = wanted.flatMap((part) =>
      names.map((name) => (name.startsWith(part) ? 0 : slipsBetween(part, name, 2))),
    );
    const least = Math.min(3, ...slips);
    return wanted.some((part) => least <= reach(part.length)) ? [{ town, least }] : [];
  });
  if (rated.length > 0)
    return rated.sort((one, other) => one.least - other.least).map(({ town }) => town);
  return region ? ofRegion(region) : regions.flatMap((one) => ofRegion(one).slice(0, 1));
}

const ofRegion = (region: Region): ListedTown[] => towns.filter((town) => town.region === region);

/** Asks back about a town that the list does not know. */
export function askTown(turn: Turn, text: string, back: Button): Reply {
  const { t } = turn;
  const regionAlone = text.split(/[,;/()]/).every((part) => regionNamed(part) !== undefined);
  const offered = near(text).slice(0, regionAlone ? 10 : mostOffered);
  const label = (town: ListedTown): Button => {
    const name = nameOf(turn, town);
    return { label: name, say: name };
  };
  return {
    text: paragraphs(regionAlone ? t('join.townOf') : t('join.town', { town: short(text, 60) })),
    buttons: [
      ...rows(offered.map(label), 2),
      [...(regionAlone ? [] : [{ label: t('join.keep'), say: t('join.keep') }]), back],
    ],
  };
}
