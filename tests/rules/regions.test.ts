import { describe, expect, test } from 'vitest';
import { regionOf } from '../../api/shared/places/regionOf.ts';
import { placeParts, type Region, regions } from '../../api/shared/places/regions.ts';
import { townsOf } from '../../api/shared/places/towns.ts';
import { translator } from '../../locales/index.ts';

/** Seats of the divisions: 58 in all. */
const seats: Record<Region, number> = {
  adamawa: 5,
  centre: 10,
  east: 4,
  'far-north': 6,
  littoral: 4,
  north: 4,
  'north-west': 7,
  south: 4,
  'south-west': 6,
  west: 8,
};
const divisionSeats =
  'Tibati Tignère Banyo Meiganga Ngaoundéré Nanga-Eboko Monatélé Bafia Ntui Mfou Ngoumou Yaoundé Éséka Akonolinga Mbalmayo Yokadouma Abong-Mbang Batouri Bertoua Maroua Kousséri Yagoua Kaélé Mora Mokolo Nkongsamba Yabassi Édéa Douala Garoua Poli Guider Tcholliré Fundong Kumbo Nkambé Wum Bamenda Mbengwi Ndop Sangmélima Ebolowa Kribi Ambam Limbé Menji Bangem Mamfé Kumba Mundemba Mbouda Bafang Baham Bandjoun Dschang Bafoussam Bangangté Foumban'.split(
    ' ',
  );

describe('the regions of Cameroon', () => {
  test('have a name in both languages, which is understood', () => {
    for (const language of ['en', 'fr'] as const) {
      const say = translator(language, 'common');
      expect(regions.map((code) => regionOf(say(`regions.${code}`)))).toEqual([...regions]);
    }
    expect(translator('fr', 'common')('regions.north-west')).toBe('Nord-Ouest');
    expect(translator('en', 'common')('regions.north-west')).toBe('North West');
  });

  test('suggest the seats of all 58 divisions, each town in one region', () => {
    const all = regions.flatMap((code) => townsOf(code).map(({ fr }) => fr));
    expect(divisionSeats.filter((seat) => !all.includes(seat))).toEqual([]);
    expect(new Set(divisionSeats).size).toBe(58);
    expect(new Set(all).size).toBe(all.length);
    for (const code of regions) {
      const here = townsOf(code).map(({ fr }) => fr);
      expect(divisionSeats.filter((seat) => here.includes(seat))).toHaveLength(seats[code]);
      for (const { en, fr } of townsOf(code))
        expect([regionOf(en), regionOf(fr)]).toEqual([code, code]);
    }
  });
});

describe('a region from somebody’s own words', () => {
  test.each([
    ['Douala, Littoral', 'littoral'],
    ['douala', 'littoral'],
    ['YAOUNDE', 'centre'],
    ['Bamenda NW', 'north-west'],
    ['Bamenda, North-West Region', 'north-west'],
    ['Nkwen, Bamenda, Nord Ouest', 'north-west'],
    ['Limbe South West', 'south-west'],
    ['Buéa', 'south-west'],
    ['Un village, région de l’Extrême-Nord', 'far-north'],
    ['Garoua, Nord, Cameroun', 'north'],
    ['Ebolowa (Sud)', 'south'],
    ['Saa', undefined],
    ['Sa’a', 'centre'],
  ] as const)('%s', (words, region) => expect(regionOf(words)).toBe(region));

  test.each([
    '',
    'Akwa',
    'Douala, Centre',
    'Yaoundé, Douala',
    'Paris',
    'Northern road',
    'Centre, Est',
  ])('is not sure: %s', (words) => expect(regionOf(words)).toBeUndefined());

  test('reads several fields as one', () => {
    expect(regionOf(null, 'Kumbo', '')).toBe('north-west');
    expect(regionOf('Near the market', 'Kumbo', 'Ouest')).toBeUndefined();
  });

  test('takes no longer for 100,000 letters', () => {
    expect(regionOf(', '.repeat(50_000))).toBeUndefined();
    expect(regionOf('a b '.repeat(25_000))).toBeUndefined();
  });
});

describe('a place for a reader', () => {
  const shown = (texts: (string | null)[], region: Region | null, name: string) =>
    placeParts(texts, region, name).join(', ');
  test.each([
    [['Bamenda', 'North West'], 'Bamenda, Nord-Ouest'],
    [['Bamenda', ''], 'Bamenda, Nord-Ouest'],
    [['Nkwen', 'Bamenda, NW'], 'Nkwen, Bamenda, Nord-Ouest'],
    [['North West', null], 'Nord-Ouest'],
    [[' Bamenda ', 'Nord-Ouest'], 'Bamenda, Nord-Ouest'],
  ])('%j', (texts, expected) => expect(shown(texts, 'north-west', 'Nord-Ouest')).toBe(expected));

  test('keeps the words of an unknown region', () => {
    expect(shown(['Lagos', 'Nigeria'], null, '')).toBe('Lagos, Nigeria');
  });
});
