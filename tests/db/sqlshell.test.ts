import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { present, presentError, table } from '../../api/sqlshell/print.ts';
import { createReader } from '../../api/sqlshell/reader.ts';
import { NotRun, openSession } from '../../api/sqlshell/session.ts';
import { addressOf, type Socket } from '../../db/embedded/socket.ts';
import { freshDatabase } from '../support/database.ts';
import { ownEnvironment } from '../support/ownEnvironment.ts';
import { source } from '../support/processes.ts';

vi.setConfig({ testTimeout: 120_000 });

const { target, sql } = await freshDatabase();
const folder = mkdtempSync(join(tmpdir(), 'marche54-sql-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const DATABASE_URL =
  typeof target === 'string'
    ? target
    : addressOf(target as Socket, (target as { database: string }).database);
const env = { ...ownEnvironment(), DATA_DIR: folder, DATABASE_URL, DEMO: '1' };
const shell = (args: string[], input = '') =>
  spawnSync(process.execPath, ['--no-env-file', source('api/commands/sql.ts'), ...args], {
    env,
    encoding: 'utf8',
    input,
    maxBuffer: 2 ** 24,
  });

/** Number of connections in `pg_sleep(seconds)`. */
const sleeping = async (seconds: number) =>
  (
    await sql`select 1 from pg_stat_activity where state = 'active' and query like ${`select pg_sleep(${seconds})%`}`
  ).length;

describe('the reader', () => {
  const read = (text: string) => {
    const reader = createReader();
    return [...text.split('\n').flatMap((line) => reader.add(line)), ...reader.end()].map((item) =>
      'sql' in item ? item.sql : item.command,
    );
  };

  test.each<[string, string[]]>([
    ['select 1; select 2', ['select 1', 'select 2']],
    ["select ';', 'it''s;';x", ["select ';', 'it''s;'", 'x']],
    [String.raw`select E'\';', e'a''\'';x`, [String.raw`select E'\';', e'a''\''`, 'x']],
    [String.raw`select name'\';x`, [String.raw`select name'\'`, 'x']],
    ['select ";" from "a""b;"; y', ['select ";" from "a""b;"', 'y']],
    ['do $x$ begin; $$ ; $x$; z', ['do $x$ begin; $$ ; $x$', 'z']],
    ['select a$1; b', ['select a$1', 'b']],
    ['select 1 -- one; two\n+ 2;', ['select 1 -- one; two\n+ 2']],
    ['/* a; /* b; */ c; */ select 1;', ['/* a; /* b; */ c; */ select 1']],
    ["select 'a\n\\q;\nb';\n\\dt", ["select 'a\n\\q;\nb'", '\\dt']],
    [';;\n-- nothing\n/* nothing */;', []],
  ])('cuts %j', (text, expected) => expect(read(text)).toEqual(expected));
});

describe('what is printed', () => {
  const columns = [
    { name: 'n', type: 23 },
    { name: 'name', type: 25 },
  ];

  test('is aligned, has NULL, and nothing that a terminal obeys', () => {
    const rows = [
      ['1', 'é'],
      ['22', null],
      [null, 'a\n\u001b[2J\u202eb'],
    ];
    expect(table(columns, rows).split('\n')).toEqual([
      ' n    | name',
      '------+---------------------',
      '    1 | é',
      '   22 | NULL',
      String.raw` NULL | a\n\x1b[2J\u{202e}b`,
    ]);
  });

  test('becomes blocks where the terminal is too narrow, and says how many rows are left out', () => {
    const result = {
      columns,
      rows: [['1', 'a long name of a product']],
      count: 3,
      tag: 'SELECT',
      milliseconds: 1.25,
    };
    expect(present(result, { expanded: false, timing: true, room: 20 }).split('\n')).toEqual([
      '-[ 1 ]----',
      'n    | 1',
      'name | a long name of a product',
      expect.stringMatching(/^… and 2 more\./),
      '(3 rows) 1.3 ms',
      '',
    ]);
  });

  test('points at the place of an error', () => {
    const error = Object.assign(new Error('no such column'), {
      code: '42703',
      position: '13',
      hint: 'look',
    });
    expect(presentError(error, 'select\n  é, nme;').split('\n')).toEqual([
      'ERROR: no such column (42703)',
      'LINE 2:   é, nme;',
      '             ^',
      'HINT: look',
      '',
    ]);
  });
});

describe('bun run sql', () => {
  test('answers scripts, and ends with 1 at the first error, which it points at', () => {
    const good = shell([
      '-c',
      'select id, product_id from slots where id < 3 order by id',
      '-c',
      '\\d slots',
    ]);
    expect([good.status, good.stderr]).toEqual([0, '']);
    expect(good.stdout).toMatch(
      /^ id \| product_id\n----\+-+\n {2}1 \| NULL\n {2}2 \| NULL\n\(2 rows\)\nColumns\n/,
    );
    const bad = shell([], 'select 1 as one;\nselect nme\nfrom slots;\nselect 2 as two;\n');
    expect([bad.status, bad.stdout]).toEqual([1, expect.not.stringContaining('two')]);
    expect(bad.stderr).toBe(
      'ERROR: column "nme" does not exist (42703)\nLINE 1: select nme\n               ^\n',
    );
  });

  test('changes nothing unless it may write', async () => {
    const change = 'update slots set is_featured = not is_featured where id = 54';
    const refused = shell(['-c', change]);
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining('read-only transaction (25006)'),
    ]);
    const { status, stdout, stderr } = shell(['--write', '-c', change, '-c', `begin; ${change}`]);
    expect([status, stdout, stderr]).toEqual([
      1,
      'UPDATE 1\nBEGIN\nUPDATE 1\n',
      expect.stringContaining('has no commit'),
    ]);
    expect(await sql`select is_featured from slots where id = 54`).toEqual([{ is_featured: true }]);
  });

  test('writes all of a large answer to a pipe', () => {
    const { status, stdout } = shell([
      '-c',
      "select n, repeat('x', 100) from generate_series(1, 20000) n",
    ]);
    expect([status, stdout.split('\n').length]).toEqual([0, 20_004]);
  });
});

describe('a session', () => {
  const notices: string[] = [];
  const limits = {
    statementSeconds: 300,
    idleTransactionSeconds: 60,
    notice: (line: string) => notices.push(line),
  };
  let session: Awaited<ReturnType<typeof openSession>>;
  beforeAll(async () => {
    session = await openSession(target, { ...limits, write: true });
  });
  afterAll(() => session.close());

  test('has the limits of commands, and refuses COPY, which writes files in read only too', async () => {
    const { rows } = await session.run(
      "select current_setting('statement_timeout'), current_setting('idle_in_transaction_session_timeout')",
    );
    expect(rows).toEqual([['5min', '1min']]);
    await expect(session.run('-- a\n/* b */ COPY slots to stdout')).rejects.toThrow(NotRun);
    await session.run("do $$ begin raise notice 'hello'; end $$");
    expect(notices).toContain('NOTICE: hello');
  });

  test('keeps as many rows as it is told, and counts all', async () => {
    expect(await session.run('select n from generate_series(1, 5) n', 2)).toMatchObject({
      rows: [['1'], ['2']],
      count: 5,
      tag: 'SELECT',
    });
  });

  test('ends a statement that is given up', async () => {
    const endless = session.run('select pg_sleep(3600)');
    // Handled at once: it may reject before the await below.
    endless.catch(() => {});
    await expect.poll(() => sleeping(3600)).toBe(1);
    session.cancel();
    await expect(endless).rejects.toMatchObject({ code: '57014' });
  });

  test('runs nothing outside of a transaction that was lost, and is read only again on the next connection', async () => {
    const reading = await openSession(target, { ...limits, write: false });
    try {
      const pid = async () => (await reading.run('select pg_backend_pid()')).rows[0]?.[0] ?? '';
      await reading.run('begin');
      const first = await pid();
      await sql`select pg_terminate_backend(${first})`;
      await expect.poll(() => reading.inTransaction).toBe(false);
      await expect(reading.run('update slots set active = true')).rejects.toThrow(
        /nothing of that was kept/,
      );
      expect(await pid()).not.toBe(first);
      await expect(reading.run('update slots set active = true')).rejects.toMatchObject({
        code: '25006',
      });
    } finally {
      await reading.close();
    }
  });
});
