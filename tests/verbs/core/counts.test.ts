import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { rowsOf, totalOf } from '../../../api/core/counts.ts';
import { schema } from '../../../db/client.ts';
import { freshDatabase } from '../../support/database.ts';

const { db, sql } = await freshDatabase();
const fill = (rows: number) =>
  sql`insert into audit_log (at, actor_kind, action, subject_kind, request_id) select now(), 'job', 'x', 'job', 'r' from generate_series(1, ${rows}::int)`;

test('the rows of a small table are counted, those of a large one estimated', async () => {
  await fill(400);
  expect(await rowsOf({ db }, schema.auditLog)).toBe(400);
  await sql`analyze audit_log`;
  await fill(5);
  expect(await rowsOf({ db }, schema.auditLog)).toBe(405);
  await fill(60_000);
  expect(await rowsOf({ db }, schema.auditLog)).toBe(60_405);
  await sql`analyze audit_log`;
  await fill(100);
  const estimate = await rowsOf({ db }, schema.auditLog);
  expect(Math.abs(estimate - 60_405)).toBeLessThan(1500);
});

describe('a list that was read a page at a time', () => {
  const { auditLog } = schema;
  const where = eq(auditLog.action, 'narrow');
  /** Fails if a count is queried: the page alone must give the total. */
  const unasked = { db: undefined as unknown as typeof db };

  test('knows its number by a page that is not full', async () => {
    const page = { page: 3, pageSize: 20 };
    expect(await totalOf(unasked, { table: auditLog, where }, { ...page, shown: 7 })).toBe(47);
    expect(await totalOf(unasked, { table: auditLog, where }, { ...page, page: 1, shown: 0 })).toBe(
      0,
    );
  });

  test('is counted where the page is full or lies past the end', async () => {
    await sql`insert into audit_log (at, actor_kind, action, subject_kind, request_id) select now(), 'job', 'narrow', 'job', 'r' from generate_series(1, 45)`;
    expect(
      await totalOf({ db }, { table: auditLog, where }, { page: 1, pageSize: 20, shown: 20 }),
    ).toBe(45);
    expect(
      await totalOf({ db }, { table: auditLog, where }, { page: 9, pageSize: 20, shown: 0 }),
    ).toBe(45);
    expect(
      await totalOf(
        { db },
        { table: schema.sellers, where: undefined },
        { page: 2, pageSize: 20, shown: 0 },
      ),
    ).toBe(0);
  });
});
