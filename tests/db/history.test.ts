import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { restoreBackup } from '../../api/backup/restore.ts';
import { checkMarket } from '../../api/check/check.ts';
import { queueStats } from '../../api/queue/reads.ts';
import { restoreProduct } from '../../api/queue/restore.ts';
import { connect, ForeignDatabase, migrateDatabase } from '../../db/client.ts';
import { apply, wayFrom } from '../../db/forward.ts';
import { formerSteps, migrationsFolder, steps } from '../../db/migrated.ts';
import recorded from '../../dev/migrations.json' with { type: 'json' };
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { catalogOf } from '../support/catalog.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { source } from '../support/processes.ts';
import { memoryStorage } from '../support/storage.ts';

/** Databases and backups of before 0.1.0 become databases of this version (decision 068). */
const former = formerSteps();
const [first] = steps();

/** A database with the first `count` of the former migrations, as drizzle left it. */
async function before(count: number): Promise<TestDatabase> {
  const database = await freshDatabase({ empty: true });
  await database.sql.begin((tx) => apply(tx, former.slice(0, count)));
  return database;
}
const marks = async ({ sql }: TestDatabase) =>
  (await sql`select hash from drizzle.__drizzle_migrations order by id`).map(({ hash }) => hash);

test('the first migration makes the schema that the former ones make', async () => {
  const [whole, made] = [await before(former.length), await freshDatabase({ empty: true })];
  await made.sql.begin((tx) => apply(tx, steps().slice(0, 1)));
  const [old, ours] = [await catalogOf(whole.sql), await catalogOf(made.sql)];
  for (const kind of Object.keys(old) as (keyof typeof old)[])
    expect(ours[kind], kind).toEqual(old[kind]);
  expect(ours.triggers.length).toBeGreaterThan(40);
  // A comparison that sees nothing would pass too.
  await made.sql`alter table listings alter column removed_place set default '{}'`;
  await made.sql`drop trigger slots_stay on slots`;
  const changed = await catalogOf(made.sql);
  expect([changed.columns, changed.triggers]).not.toEqual([old.columns, old.triggers]);
});

test.each([1, 11, former.length])(
  'a database with %i of the former migrations starts, keeps its rows, and starts again',
  async (count) => {
    const database = await before(count);
    const { sql, target } = database;
    await sql`insert into "user" (id, name, email) values ('u', 'Ada', 'ada@example.com')`;
    await sql`insert into products (slug, status) values ('a-chair', 'pending')`;
    await Promise.all([migrateDatabase(target), migrateDatabase(target)]);
    expect(await marks(database)).toEqual(steps().map(({ hash }) => hash));
    await migrateDatabase(target);
    expect(await marks(database)).toEqual(steps().map(({ hash }) => hash));
    expect([...(await sql`select id, name from "user"`)]).toEqual([{ id: 'u', name: 'Ada' }]);
    expect([...(await sql`select slug from products`)]).toEqual([{ slug: 'a-chair' }]);
  },
);

test('former migrations in another order, or with ours among them, are refused and left', async () => {
  const hashes = former.map(({ hash }) => hash);
  expect(wayFrom(hashes.slice(0, 3))).toMatchObject({ former: true });
  expect(wayFrom([])).toMatchObject({ former: false, made: [] });
  expect(wayFrom([first?.hash ?? ''])).toMatchObject({ former: false });
  expect(wayFrom(hashes.slice(1, 3))).toBeUndefined();
  expect(wayFrom([...hashes, first?.hash ?? ''])).toBeUndefined();
  const database = await before(2);
  await database.sql`update drizzle.__drizzle_migrations set hash = 'other' where id = 2`;
  const before2 = await marks(database);
  await expect(migrateDatabase(database.target)).rejects.toBeInstanceOf(ForeignDatabase);
  expect(await marks(database)).toEqual(before2);
});

test('a backup of before 0.1.0 restores, and its removed product goes back to its place', async () => {
  const market = await testApp();
  const { admin } = await actors(market);
  const storage = memoryStorage();
  const { target } = await freshDatabase({ empty: true });
  const pool = connect(target, { max: 4 });
  afterAll(() => pool.close());
  const other = connect(target, { max: 1 });
  // Written by commit 2b54225c; a restore wants no other connection.
  const file = source('tests/fixtures/before-0.1.0.tar');
  const { rows, photos } = await restoreBackup({ client: other.sql, storage }, file);
  await other.close();
  expect([rows, photos]).toEqual([200, 7]);
  const { sql, db } = pool;
  expect((await sql`select hash from drizzle.__drizzle_migrations`).map((row) => row.hash)).toEqual(
    steps().map(({ hash }) => hash),
  );
  const job = { ...market.job('x'), db, services: { ...market.services, storage } };
  expect(await checkMarket(job)).toMatchObject({ wrong: [] });

  const named = async (name: string) =>
    (await sql<{ id: string }[]>`select id from products where name ->> 'en' = ${name}`)[0]?.id ??
    '';
  const ctx = { ...(await market.ctx(admin)), db, services: job.services };
  expect((await queueStats(ctx)).averageWait.measuredListings).toBe(2);
  const id = await named('Removed');
  expect(await restoreProduct(ctx, id)).toEqual({ id, queued: true });
  const order = await sql`select name ->> 'en' as name from queue_items q
    join products p on p.id = q.product_id order by band, position`;
  expect(order.map(({ name }) => name)).toEqual(['Moved', 'Put back', 'First', 'Removed', 'Third']);
  const pending = await named('Pending');
  expect(await restoreProduct(ctx, pending)).toEqual({ id: pending, queued: false });
});

test('released migrations, and those before 0.1.0, stay as they are', () => {
  // A change makes every database that has them foreign. Write a new migration instead.
  expect(former.map(({ hash }) => hash)).toEqual(recorded.history);
  const ours = steps().map(({ hash }) => hash);
  expect(ours.slice(0, recorded.migrations.length)).toEqual(recorded.migrations);
  expect(recorded.migrations.length).toBeGreaterThan(0);
  for (const [folder, chain] of [
    [source('db/history'), former],
    [migrationsFolder, steps()],
  ] as const) {
    const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
    expect(
      files.sort().map((name) =>
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ),
    ).toEqual(chain.map(({ hash }) => hash));
  }
});
