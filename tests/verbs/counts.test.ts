import { expect, test } from 'vitest';
import { rowsOf } from '../../api/core/counts.ts';
import { schema } from '../../db/client.ts';
import { freshDatabase } from '../support/database.ts';

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
