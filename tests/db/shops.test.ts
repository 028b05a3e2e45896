import { expect, test } from 'vitest';
import { shopSlugOf } from '../../api/shared/slugs/shopSlug.ts';
import { apply } from '../../db/forward.ts';
import { steps } from '../../db/migrated.ts';
import { freshDatabase } from '../support/database.ts';

const nth = (n: number) => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`;

test('shops from before get the slug that the code gives, unique and in order of age', async () => {
  const all = steps();
  const at = all.findIndex(({ sql }) => sql.join('').includes('"shop_slugs"'));
  const step = all[at];
  if (!step) throw new Error('there is a migration of the shops');
  const { sql } = await freshDatabase({ empty: true });
  await sql.begin((tx) => apply(tx, all.slice(0, at)));
  const names = [
    'Fil & Toghu',
    'Électro Bonabéri',
    'Œuvres d’Æsop',
    'Admin',
    'متجر',
    '  ',
    'Une très longue boutique de vêtements et de chaussures',
    `${'a'.repeat(60)}`,
    'fil toghu!',
    'FIL-TOGHU',
    'Studio 54',
    '¿¡ K2 !?',
  ];
  const rows = names.map((business_name, n) => ({
    id: nth(n),
    name: 'Seller',
    business_name,
    created_at: new Date(Date.UTC(2026, 0, 1 + n)),
  }));
  await sql`insert into sellers ${sql(rows)}`;

  await sql.begin((tx) => apply(tx, [step]));

  const kept = await sql<
    { slug: string; seller_id: string }[]
  >`select slug, seller_id from shop_slugs`;
  const slugs = new Map(kept.map(({ slug, seller_id }) => [seller_id, slug]));
  const expected = names.map((name, n) => (name.trim() ? shopSlugOf(name, nth(n)) : undefined));
  expected[8] = 'fil-toghu-2';
  expected[9] = 'fil-toghu-3';
  expect(names.map((_, n) => slugs.get(nth(n)))).toEqual(expected);
  expect(expected).toContain('admin-00000003');
  expect(expected).toContain('shop-00000004');
});
