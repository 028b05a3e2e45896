import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { EmbeddedPostgresError, FolderInUse } from '../../db/embedded.ts';
import { embeddedServers, pidOf } from '../support/embedded.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const isRoot = process.geteuid?.() === 0;
const { at, create, start, client } = embeddedServers();

describe('the embedded server', () => {
  test('keeps its data from one start to the next', async () => {
    const first = await create();
    await client(first)`create table notes as select 'bonjour' as text`;
    await first.stop();
    expect(existsSync(at('pg/postmaster.pid'))).toBe(false);

    const second = await start();
    expect(await client(second)`select text from notes`).toEqual([{ text: 'bonjour' }]);
  });

  test('has one database in UTF-8, in UTC, reachable through a private socket only', async () => {
    const server = await create();
    const byAddress = client(server, server.url);
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
    const pid = pidOf(at('pg'));
    const second = await start();
    expect(pidOf(at('pg'))).toBe(pid);
    expect(second.url).toBe(first.url);
    await expect(start({ reuse: false })).rejects.toMatchObject({ name: 'FolderInUse', pid });
    await expect(start({ reuse: false })).rejects.toBeInstanceOf(FolderInUse);
    await second.stop();
    await first.stop();
  });

  test('starts although a power cut left an empty lock file', async () => {
    await (await start()).stop();
    writeFileSync(at('pg/postmaster.pid'), '');
    expect(await client(await start())`select 1 as one`).toEqual([{ one: 1 }]);
  });

  test('lives in folders with spaces, quotes and commas', async () => {
    const folder = at(`l'été "54", à Douala: %2F #1`);
    const server = await create({ folder });
    expect(
      await client(server, server.url)`select current_setting('data_directory') as folder`,
    ).toEqual([{ folder }]);
  });

  test('refuses a folder that holds something else, and a database of another version', async () => {
    mkdirSync(at('pictures'));
    writeFileSync(at('pictures/a.txt'), '');
    await expect(start({ folder: at('pictures') })).rejects.toThrow(
      'holds files but no Postgres database',
    );

    writeFileSync(at('file'), '');
    await expect(start({ folder: at('file') })).rejects.toThrow(EmbeddedPostgresError);

    await (await start()).stop();
    const version = readFileSync(at('pg/PG_VERSION'), 'utf8');
    writeFileSync(at('pg/PG_VERSION'), '9\n');
    await expect(start()).rejects.toThrow('made by Postgres 9');
    writeFileSync(at('pg/PG_VERSION'), version);
  });

  test('begins a log that has grown too long anew', async () => {
    await (await start()).stop();
    writeFileSync(at('pg/postgres.log'), 'x'.repeat(5_000_001));
    await start();
    expect(statSync(at('pg/postgres.log')).size).toBeLessThan(10_000);
  });
});

describe.runIf(isRoot)('as root', () => {
  test('Postgres runs as an account without rights', async () => {
    await create();
    expect(statSync(at('pg')).uid).not.toBe(0);
    expect(statSync(`/proc/${pidOf(at('pg'))}`).uid).toBe(statSync(at('pg')).uid);
    expect(readFileSync(`/proc/${pidOf(at('pg'))}/status`, 'utf8')).toMatch(/^Groups:\s*$/m);
  });
});
