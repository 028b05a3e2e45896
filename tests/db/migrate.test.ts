import { expect, test } from 'vitest';
import { ForeignDatabase, migrateDatabase } from '../../db/client.ts';
import { freshDatabase } from '../support/database.ts';

const { target, sql } = await freshDatabase();

test('a database that is up to date is left as it is', async () => {
  const before = await sql`select * from drizzle.__drizzle_migrations`;
  await migrateDatabase(target);
  expect([...(await sql`select * from drizzle.__drizzle_migrations`)]).toEqual([...before]);
});

test('one that other migrations have made is refused by its name, and nothing of it is changed', async () => {
  await sql`update drizzle.__drizzle_migrations set hash = 'of another beginning', created_at = 0`;
  const refusal = await migrateDatabase(target, 'in /srv/market').catch((error) => error);
  expect(refusal).toBeInstanceOf(ForeignDatabase);
  expect(refusal.message).toContain('/srv/market');
  expect((await sql`select hash from drizzle.__drizzle_migrations`)[0]?.hash).toBe(
    'of another beginning',
  );
});
