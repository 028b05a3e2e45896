import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { migrateDatabase } from '../../db/client.ts';
import { lockDataFolder } from '../../db/datafolder.ts';
import { startReplacement } from '../../db/embedded/replacement.ts';
import {
  DamagedDatabase,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../db/embedded.ts';
import { ownEnvironment } from '../support/ownEnvironment.ts';
import { folderInTmp, source } from '../support/processes.ts';

/** Damages real clusters as a dying disk does, then types the runbook's commands. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const base = folderInTmp();
const ready = join(base, 'ready');
const backup = join(base, 'market.tar');
afterAll(() => rmSync(base, { recursive: true, force: true }));

const start = (data: string) =>
  startEmbeddedPostgres({ folder: join(data, 'postgres'), settings: { fsync: 'off' } });

async function ask<T>(
  server: EmbeddedPostgres,
  question: (sql: postgres.Sql) => Promise<T>,
): Promise<T> {
  const sql = postgres({ ...server.connect(), max: 1, onnotice: () => {} });
  try {
    return await question(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Runs a shell command on the market in `data`. */
function type(data: string, program: string, args: string[], more: Record<string, string> = {}) {
  const env = {
    ...ownEnvironment(),
    DATA_DIR: data,
    AUTH_SECRET: 'a secret of thirty-two characters',
    DEMO: '1',
    ...more,
  };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-env-file', source(program), ...args],
    { env, encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}
const restore = (data: string, ...args: string[]) =>
  type(data, 'api/commands/restore.ts', [backup, ...args]);

/** A copy of a market that a test may damage. */
function copied(name: string): { data: string; cluster: string } {
  const data = join(base, name);
  mkdirSync(data);
  spawnSync('cp', ['-a', join(ready, 'postgres'), join(data, 'postgres')]);
  return { data, cluster: join(data, 'postgres') };
}

/** The accounts table's file, relative to the cluster. */
let accounts = '';

beforeAll(async () => {
  const server = await start(ready);
  await migrateDatabase(server.connect());
  await ask(server, async (sql) => {
    await sql`insert into "user" (id, name, email, created_at, updated_at)
      values ('u1', 'Awa', 'awa@market.test', now(), now())`;
    const [row] = await sql<{ file: string }[]>`select pg_relation_filepath('"user"') as file`;
    accounts = row?.file ?? '';
  });
  await server.stop();
  expect(type(ready, 'api/commands/backUp.ts', [backup])).toMatchObject({ status: 0 });
});

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes.fill(0xff, at, at + 64);
  writeFileSync(file, bytes);
}

/** Restores with the printed option; expects the market back and the damaged files set aside. */
async function expectWayBack(data: string, damaged: string, bytes: Buffer): Promise<void> {
  const { status, stdout, stderr } = restore(data, '--set-aside');
  expect([status, stdout], stderr).toEqual([0, expect.stringMatching(/\d+ checks, 0 wrong\n$/)]);
  const aside = readdirSync(data).filter((name) => name.startsWith('postgres.aside-'));
  expect(aside).toEqual([expect.stringMatching(/^postgres\.aside-\d{8}T\d{6}Z$/)]);
  expect(stderr).toContain(
    `is kept in ${join(data, String(aside[0]))}. Delete it when all is well.`,
  );
  expect(readdirSync(data)).not.toContain('postgres.restoring');
  expect(readFileSync(join(data, String(aside[0]), damaged)).equals(bytes)).toBe(true);
  const server = await start(data);
  expect(await ask(server, (sql) => sql`select name from "user"`)).toEqual([{ name: 'Awa' }]);
  await server.stop();
}

const section = 'docs/runbook/trouble.md#the-database-is-damaged';

describe('a damaged database', () => {
  const cut = (file: string) => writeFileSync(file, '');
  const emptied = (folder: string) => mkdirSync(folder, { mode: 0o700 });
  const gone = () => {};
  const changed = (at: number) => (file: string) => {
    writeFileSync(file, readFileSync(`${file}.whole`));
    flip(file, at);
  };

  test.each<[string, () => string, (path: string) => void]>([
    ['its control file is cut short', () => 'global/pg_control', cut],
    ['its control file is changed', () => 'global/pg_control', changed(40)],
    ['its log is gone', () => 'pg_wal', gone],
    ['its log is empty', () => 'pg_wal', emptied],
    ['PG_VERSION is gone', () => 'PG_VERSION', gone],
    ['the tables are gone', () => dirname(accounts), gone],
    ['its list of databases is changed', () => 'global/1262', changed(4096)],
  ])('does not start, and the error leads to the runbook: %s', async (_, file, damage) => {
    const path = join(ready, 'postgres', file());
    renameSync(path, `${path}.whole`);
    try {
      damage(path);
      if (existsSync(path)) spawnSync('chown', ['--reference', `${path}.whole`, path]);
      const failed = await start(ready).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(DamagedDatabase);
      expect(String(failed)).toContain(`Delete nothing: ${section} says what to do`);
    } finally {
      rmSync(path, { recursive: true, force: true });
      renameSync(`${path}.whole`, path);
    }
  });

  test('is set aside by a restore, which says so when it is not told to, and may be interrupted', async () => {
    const { data, cluster } = copied('control');
    truncateSync(join(cluster, 'global/pg_control'), 0);
    const refused = restore(data, '--replace');
    expect(refused.status).toBe(1);
    for (const words of ['could not be started', section, 'bun run restore <file> --set-aside'])
      expect(refused.stderr).toContain(words);
    expect(readdirSync(data)).toEqual(['postgres']);

    const other = join(base, 'other.tar');
    writeFileSync(other, 'no backup');
    expect(type(data, 'api/commands/restore.ts', [other, '--set-aside'])).toMatchObject({
      status: 1,
    });
    expect(readdirSync(data).toSorted()).toEqual(['postgres', 'postgres.restoring']);

    // A killed restore leaves it with tables and running.
    const left = await startReplacement(cluster);
    await migrateDatabase(left.server.connect());
    await expectWayBack(data, 'global/pg_control', Buffer.alloc(0));
  });

  test('with a changed page in a table refuses a backup of it, and is set aside by a restore', async () => {
    const { data, cluster } = copied('page');
    flip(join(cluster, accounts), 8000);
    const bytes = readFileSync(join(cluster, accounts));
    const target = join(data, 'now.tar');
    const refused = type(data, 'api/commands/backUp.ts', [target]);
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/invalid page in block 0 of relation/),
    ]);
    expect(refused.stderr).toContain(section);
    expect(readdirSync(data)).not.toContain('now.tar');
    await expectWayBack(data, accounts, bytes);
  });
});

describe('a restore that sets the old database aside', () => {
  test('refuses a database of a server, and the folder of a market that runs', async () => {
    const { data } = copied('busy');
    const own = type(data, 'api/commands/restore.ts', [backup, '--set-aside'], {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    });
    expect([own.status, own.stderr]).toEqual([
      1,
      expect.stringContaining('Make a new, empty database on your server'),
    ]);
    const lock = await lockDataFolder(data);
    const busy = restore(data, '--set-aside');
    await lock.release();
    expect([busy.status, busy.stderr]).toEqual([
      1,
      expect.stringContaining('is in use by the server process'),
    ]);
    expect(readdirSync(data)).toEqual(['postgres']);
  });

  test('never takes the name of another folder, and stops a server that was left on the old one', async () => {
    const { data, cluster } = copied('twice');
    const left = await start(data);
    const now = new Date('2026-11-23T10:00:00.500Z');
    mkdirSync(`${cluster}.aside-20261123T100000Z`);
    const replacement = await startReplacement(cluster);
    await left.gone();
    await replacement.server.stop();
    expect(await replacement.takePlace(now)).toBe(`${cluster}.aside-20261123T100000Z-2`);
    expect(readdirSync(data).toSorted()).toEqual([
      'postgres',
      'postgres.aside-20261123T100000Z',
      'postgres.aside-20261123T100000Z-2',
    ]);
  });
});

test('a backup never replaces a file', () => {
  const before = readFileSync(backup);
  const again = type(ready, 'api/commands/backUp.ts', [backup]);
  expect([again.status, again.stderr]).toEqual([
    1,
    expect.stringContaining(`${backup} exists already`),
  ]);
  expect(readFileSync(backup).equals(before)).toBe(true);
});
