import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import {
  type EmbeddedOptions,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../db/embedded.ts';
import { folderInTmp, killChildren } from './processes.ts';

/** Embedded servers in a fresh folder for each test. Call it at the top of a test file. */
export function embeddedServers() {
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

  const at = (...names: string[]) => join(base, ...names);
  /** No fsync: this data need not survive a power cut. */
  async function create(options: Partial<EmbeddedOptions> = {}) {
    const server = await startEmbeddedPostgres({
      folder: at('pg'),
      outside: at('outside'),
      settings: { fsync: 'off' },
      ...options,
    });
    servers.push(server);
    return server;
  }
  /** Lends out one prepared database, since creating one takes a second. */
  async function start(options: Partial<EmbeddedOptions> = {}) {
    const folder = options.folder ?? at('pg');
    if (!existsSync(folder) && existsSync(ready)) {
      mkdirSync(dirname(folder), { recursive: true });
      renameSync(ready, folder);
      borrowed = folder;
    }
    return create(options);
  }
  function client(server: EmbeddedPostgres, address?: string): Sql {
    const sql = address
      ? postgres(address, { max: 1 })
      : postgres({ ...server.connect(), max: 1, onnotice: () => {} });
    clients.push(sql);
    return sql;
  }
  return { at, create, start, client };
}

export const pidOf = (folder: string) =>
  Number.parseInt(readFileSync(join(folder, 'postmaster.pid'), 'utf8'), 10);
