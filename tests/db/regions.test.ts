import { expect, test } from 'vitest';
import { regionOf } from '../../api/shared/places/regionOf.ts';
import { regions } from '../../api/shared/places/regions.ts';
import { townsOf } from '../../api/shared/places/towns.ts';
import { apply } from '../../db/forward.ts';
import { steps } from '../../db/migrated.ts';
import { freshDatabase } from '../support/database.ts';
import { rawRows } from '../support/rows.ts';

test('rows from before the regions get one where their words are sure, as new rows do', async () => {
  const [first, second] = steps();
  if (!first || !second) throw new Error('there are two migrations');
  const { sql } = await freshDatabase({ empty: true });
  await sql.begin((tx) => apply(tx, [first]));
  const odd = [
    'Bamenda NW',
    'douala littoral',
    'Limbe, South-West Region',
    'Akwa, Douala, Littoral',
  ];
  const sure = ['Région de l’Extrême-Nord', 'YAOUNDÉ (Centre), Cameroun', 'Ebolowa/Sud', ...odd];
  const unsure = ['', ' , ', 'Akwa', 'Douala, Centre', 'Yaoundé, Douala', 'Paris', 'Northern road'];
  const towns = regions.flatMap((code) => townsOf(code).flatMap(({ en, fr }) => [en, `${fr}, CM`]));
  const words = [...sure, ...unsure, ...towns];
  const rows = words.map((location, n) => ({ name: `Seller ${n}`, location }));
  await sql`insert into sellers ${sql(rows)}`;
  const { product } = rawRows(sql);
  await product({ city: 'Kumbo', region: 'Nord-Ouest' });
  await product({ seller_location: 'Kumbo, West', city: 'Kumbo', region: 'West' });

  await sql.begin((tx) => apply(tx, [second]));

  const kept = await sql<{ location: string; region: string | null }[]>`
    select location, region from sellers`;
  expect(Object.fromEntries(kept.map(({ location, region }) => [location, region]))).toEqual(
    Object.fromEntries(words.map((location) => [location, regionOf(location) ?? null])),
  );
  expect(kept.filter(({ region }) => region === null)).toHaveLength(unsure.length);
  const products = await sql`select city, region, region_code from products order by region`;
  expect([...products]).toEqual([
    { city: 'Kumbo', region: 'Nord-Ouest', region_code: 'north-west' },
    { city: 'Kumbo', region: 'West', region_code: null },
  ]);
  await expect(sql`update sellers set region = 'somewhere'`).rejects.toThrow(
    'sellers_region_known',
  );
});
