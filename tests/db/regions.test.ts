import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { regionOf } from '../../api/shared/regionOf.ts';
import { regions } from '../../api/shared/regions.ts';
import { townsOf } from '../../api/shared/towns.ts';
import { freshDatabase } from '../support/database.ts';
import { rawRows } from '../support/rows.ts';

test('rows from before the regions get one where their words are sure, as new rows do', async () => {
  const { sql } = await freshDatabase();
  await sql.unsafe(`alter table sellers drop column region;
    alter table products drop column region_code; alter table connect_posts drop column region_code`);
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

  const migration = new URL('../../db/migrations/0001_regions_and_search.sql', import.meta.url);
  for (const statement of readFileSync(migration, 'utf8').split('--> statement-breakpoint'))
    await sql.unsafe(statement);

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
