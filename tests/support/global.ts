import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { migrateDatabase, type Target } from '../../db/client.ts';
import { startEmbeddedPostgres } from '../../db/embedded.ts';

/** Where the one server of this run is, and which of its databases is the migrated template. */
export type TestServer = { target: Target; prefix: string; template: string };

declare module 'vitest' {
  export interface ProvidedContext {
    server: TestServer;
  }
}

/** The same server, another database. */
export function inDatabase(target: Target, database: string): Target {
  if (typeof target !== 'string') return { ...target, database };
  const address = new URL(target);
  address.pathname = `/${database}`;
  return address.href;
}

/**
 * Starts one Postgres for the whole run (or uses TEST_DATABASE_URL, whose account must be allowed to create databases) and migrates
 * one template; every test file clones it in 0.1 s. What this run made is gone afterwards, the server too when it was ours.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { target, stop } = await openServer();
  const prefix = `m54_test_${process.pid}_${Date.now().toString(36)}`;
  const template = `${prefix}_template`;
  const options = { max: 1, onnotice: () => {} };
  const server = typeof target === 'string' ? postgres(target, options) : postgres({ ...target, ...options });
  await server.unsafe(`create database "${template}"`);
  await migrateDatabase(inDatabase(target, template));
  project.provide('server', { target, prefix, template });
  return async () => {
    const left = await server<{ datname: string }[]>`select datname from pg_database where starts_with(datname, ${prefix})`;
    for (const { datname } of left) await server.unsafe(`drop database if exists "${datname}" with (force)`);
    await server.end({ timeout: 2 });
    await stop();
  };
}

async function openServer(): Promise<{ target: Target; stop: () => Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { target: given, stop: async () => {} };
  clearAbandoned();
  const folder = mkdtempSync(join(tmpdir(), `${folderName}${process.pid}-`));
  chmodSync(folder, 0o755);
  // Nothing here survives the run, so nothing is worth a sync; many files at once need more connections than one server does.
  const embedded = await startEmbeddedPostgres({
    folder: join(folder, 'postgres'),
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400', autovacuum: 'off' },
  });
  return {
    target: embedded.connect('postgres'),
    async stop() {
      await embedded.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const folderName = 'marche54-tests-';

/** A run that was killed could not stop its Postgres: the next run does, and removes what is left of it. */
function clearAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const runner = Number(new RegExp(`^${folderName}(\\d+)-`).exec(name)?.[1]);
    if (!runner || isAlive(runner)) continue;
    const folder = join(tmpdir(), name);
    try {
      const server = Number.parseInt(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8'), 10);
      // Only a server of this very folder: its pid may be another process by now.
      if (readFileSync(`/proc/${server}/cmdline`, 'utf8').includes(folder)) process.kill(server, 'SIGQUIT');
    } catch {
      // No server, or one that is gone already.
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
