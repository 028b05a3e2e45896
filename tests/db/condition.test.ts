import { expect, test } from 'vitest';
import { apply } from '../../db/forward.ts';
import { steps } from '../../db/migrated.ts';
import { freshDatabase } from '../support/database.ts';
import { rawRows } from '../support/rows.ts';

test('products from before conditions have none, and one given later reaches the search index', async () => {
  const all = steps();
  const { sql } = await freshDatabase({ empty: true });
  await sql.begin((tx) => apply(tx, all.slice(0, 2)));
  const id = await rawRows(sql).placed(11);
  await sql.begin((tx) => apply(tx, all.slice(2)));
  const read = () => sql`select p.condition, f.condition as indexed from products p
    join findable f on f.product_id = p.id`;
  expect([...(await read())]).toEqual([{ condition: null, indexed: null }]);
  await sql`update products set condition = 'as_new' where id = ${id}`;
  expect([...(await read())]).toEqual([{ condition: 'as_new', indexed: 'as_new' }]);
});
