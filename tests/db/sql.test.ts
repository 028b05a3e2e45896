import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { addressOf, type Socket } from '../../db/embedded/socket.ts';
import { freshDatabase } from '../support/database.ts';
import { ownEnvironment } from '../support/ownEnvironment.ts';
import { endsWithTest, source } from '../support/processes.ts';

const { target, sql } = await freshDatabase();
const folder = mkdtempSync(join(tmpdir(), 'marche54-sql-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const DATABASE_URL =
  typeof target === 'string'
    ? target
    : addressOf(target as Socket, (target as { database: string }).database);
const env = { ...ownEnvironment(), DATA_DIR: folder, DATABASE_URL, DEMO: '1' };
const program = ['--no-env-file', source('api/commands/sql.ts')];
const run = (args: string[], input = '') =>
  spawnSync(process.execPath, [...program, ...args], {
    env,
    encoding: 'utf8',
    input,
    maxBuffer: 2 ** 24,
  });

test('prints rows aligned, NULL, and nothing that a terminal obeys', () => {
  const { status, stdout, stderr } = run([
    String.raw`select n, case when n > 5 then E'a\n\x1b[2J\u202eb' end as name from (values (1), (22)) v(n)`,
  ]);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout.split('\n')).toEqual([
    ' n  | name',
    '----+-----------------------',
    ' 1  | NULL',
    String.raw` 22 | a\n\u{1b}[2J\u{202e}b`,
    '(2 rows)',
    '',
  ]);
});

test('writes all of a large answer to a pipe', () => {
  const { status, stdout } = run([], "select n, repeat('x', 100) from generate_series(1, 20000) n");
  expect([status, stdout.split('\n').length]).toEqual([0, 20_004]);
});

test('changes nothing unless it may write, takes one statement, and no COPY', async () => {
  const change = 'update slots set is_featured = not is_featured where id = 54';
  const [before] = await sql`select is_featured from slots where id = 54`;
  for (const [args, reason] of [
    [[change], 'read-only transaction (25006)'],
    [['--write', `${change}; ${change}`], 'multiple commands'],
    [['select nme from slots'], 'column "nme" does not exist (42703)'],
    [["copy slots to '/tmp/slots'"], 'COPY is not for this command'],
    [[''], ''],
  ] as const) {
    const { status, stderr } = run([...args]);
    expect([status, stderr]).toEqual([1, expect.stringContaining(reason)]);
  }
  expect(await sql`select is_featured from slots where id = 54`).toEqual([before]);
  const { status, stdout } = run(['--write', change]);
  expect([status, stdout]).toEqual([0, 'UPDATE 1\n']);
  expect(await sql`select is_featured from slots where id = 54`).not.toEqual([before]);
});

test('ends its statement with the process', async () => {
  const child = spawn(process.execPath, [...program, 'select pg_sleep(3600)'], { env });
  endsWithTest(child);
  const running = async () =>
    (
      await sql`select 1 from pg_stat_activity where state = 'active' and query = 'select pg_sleep(3600)'`
    ).length;
  await expect.poll(running, { timeout: 20_000 }).toBe(1);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  expect(await ended).toBe(1);
  await expect.poll(running).toBe(0);
});
