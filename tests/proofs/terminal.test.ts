import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { urlOf } from '../../dev/faults/place.ts';
import { pathOf } from '../../dev/programs.ts';
import { freshDatabase } from '../support/database.ts';
import { ownEnvironment } from '../support/ownEnvironment.ts';
import { endsWithTest, killChildren, source, until } from '../support/processes.ts';

const { target, sql } = await freshDatabase();
const folder = mkdtempSync(join(tmpdir(), 'marche54-terminal-'));
afterAll(async () => {
  await killChildren();
  rmSync(folder, { recursive: true, force: true });
});

test('the SQL shell asks, goes on over lines, gives up at Ctrl-C, leaves, and writes no history', {
  timeout: 120_000,
}, async () => {
  const url = urlOf(target);
  const program = `${process.execPath} --no-env-file ${source('api/commands/sql.ts')} --write`;
  const settings = { DATA_DIR: folder, DATABASE_URL: url, DEMO: '1', TERM: 'dumb', HOME: folder };
  const child = spawn(String(pathOf('script')), ['-qec', program, '/dev/null'], {
    env: { ...ownEnvironment(), ...settings },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  endsWithTest(child);
  let seen = '';
  child.stdout.setEncoding('utf8').on('data', (more: string) => (seen += more));
  const name = url.slice(url.lastIndexOf('/') + 1);
  const asked = (how: string) => seen.split(`${name} (${how})> `).length - 1;
  await until(() => asked('WRITE') === 1);
  expect(seen).toContain('This shows numbers, addresses and keys of people');
  child.stdin.write('select 40\r');
  await until(() => seen.includes('… '));
  child.stdin.write('+ 2 as answer;\r');
  await until(() => asked('WRITE') === 2);
  expect(seen).toMatch(/ answer\r\n-+\r\n +42\r\n\(1 row\) [\d.]+ ms\r\n/);
  child.stdin.write('begin;\r');
  await until(() => asked('WRITE, in a transaction') === 1);
  child.stdin.write('select pg_sleep(3601);\r');
  await expect
    .poll(
      async () =>
        (
          await sql`select 1 from pg_stat_activity
            where state = 'active' and query like 'select pg_sleep(3601)%'`
        ).length,
    )
    .toBe(1);
  child.stdin.write('\u0003');
  await until(() => seen.includes('canceling statement due to user request (57014)'));
  child.stdin.write('rollback;\r');
  await until(() => asked('WRITE') === 3);
  child.stdin.write('\\q\r');
  await until(() => child.exitCode !== null);
  expect(child.exitCode).toBe(0);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => file.includes('hist'))).toEqual([]);
});
