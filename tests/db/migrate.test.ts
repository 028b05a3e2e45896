import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ForeignDatabase, migrateDatabase } from '../../db/client.ts';
import { wayFrom } from '../../db/forward.ts';
import { migrationsFolder, steps } from '../../db/migrated.ts';
import released from '../../dev/migrations.json' with { type: 'json' };
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

test('a beginning of our migrations is known, and no other list', () => {
  const [first = '', second = ''] = steps().map(({ hash }) => hash);
  expect(wayFrom([])).toMatchObject({ made: [] });
  expect(wayFrom([first])).toMatchObject({ made: [{ hash: first }] });
  for (const other of [[second], [second, first], [first, 'other']])
    expect(wayFrom(other)).toBeUndefined();
});

test('released migrations stay as they are', () => {
  // A change makes every database that has them foreign. Write a new migration instead.
  const ours = steps().map(({ hash }) => hash);
  expect(ours.slice(0, released.length)).toEqual(released);
  expect(released.length).toBeGreaterThan(0);
  const files = readdirSync(migrationsFolder).filter((name) => name.endsWith('.sql'));
  expect(
    files.sort().map((name) =>
      createHash('sha256')
        .update(readFileSync(join(migrationsFolder, name)))
        .digest('hex'),
    ),
  ).toEqual(ours);
});
