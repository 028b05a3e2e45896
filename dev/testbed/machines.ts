import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBucket } from '../../tests/support/bucket.ts';
import { freePort } from '../../tests/support/processes.ts';
import type { Testbed } from './market.ts';
import { openPeople } from './people.ts';
import { undone } from './program.ts';
import {
  commandIn,
  type Environment,
  endOneBackend,
  openRun,
  openServer,
  type Server,
  testbedEnv,
} from './server.ts';

type Machine = { server: Server; home: string; env: Environment };
/** A market of several processes on one database and one bucket, each with its own data folder. */
export type Machines = Testbed & {
  /** Pages and API; the same with jobs; jobs and the bot only. */
  all: readonly [Machine, Machine, Machine];
  /** Starts another process of this market with extra settings. */
  another(env: Record<string, string>): Promise<Machine>;
};

type Options = {
  /** Address of a connection pooler that the processes use. */
  pooler?: string | undefined;
  /** A shared folder for photos, as on one machine; undefined uses a bucket. */
  uploads?: string;
  env?: Record<string, string>;
};

/**
 * Starts three processes on a migrated database. Requests go to a random one with pages; a kill
 * takes one of these.
 * @param url Postgres itself
 */
export async function openMachines(
  url: string,
  { pooler, uploads, env: given = {} }: Options = {},
): Promise<Machines> {
  const undo: (() => unknown)[] = [];
  const stop = () => undone(undo);
  const sql = await openRun(url);
  undo.push(() => sql.end({ timeout: 2 }));
  const photos = uploads === undefined ? await inBucket(undo) : {};

  async function another(more: Record<string, string>): Promise<Machine> {
    const folder = mkdtempSync(join(tmpdir(), 'marche54-machine-'));
    undo.push(() => rmSync(folder, { recursive: true, force: true }));
    // The demo's password belongs to the data folder, and each start sets it on the account.
    writeFileSync(join(folder, 'demo-admin-password'), 'one-for-all-of-them');
    if (uploads !== undefined) symlinkSync(uploads, join(folder, 'uploads'));
    const port = await freePort();
    const env = {
      ...testbedEnv(pooler ?? url, port, folder),
      ...(pooler ? { DATABASE_DIRECT_URL: url } : {}),
      DRAIN_SECONDS: '2',
      ...photos,
      ...given,
      ...more,
    };
    const server = openServer(env);
    undo.push(() => server.kill());
    return { server, home: `http://localhost:${port}`, env };
  }

  const all = [
    await another({ ROLES: 'web' }),
    await another({ ROLES: 'web,jobs' }),
    await another({ ROLES: 'jobs,bot' }),
  ] as const;
  const withPages = all.slice(0, 2);
  const down = new Set<Machine>();
  const home = () => {
    const open = withPages.filter((machine) => !down.has(machine));
    return (open[Math.floor(Math.random() * open.length)] ?? all[0]).home;
  };
  const people = Promise.all(all.map(({ server }) => server.ready())).then(([said]) =>
    openPeople(sql, home, said ?? ''),
  );
  // Started processes must not outlive a run that failed to start.
  await people.catch(stop);
  let kills = 0;
  return {
    sql,
    all,
    another,
    ...(await people),
    // One process always answers.
    up: async () => {},
    ended: [],
    kill: {
      async server() {
        const victim = withPages[kills++ % withPages.length] ?? all[0];
        await victim.server.kill();
        down.add(victim);
        await victim.server.start();
        down.delete(victim);
        return true;
      },
      backend: () => endOneBackend(sql),
    },
    command: commandIn(all[0].env),
    stop,
  };
}

async function inBucket(undo: (() => unknown)[]): Promise<Record<string, string>> {
  const { bucket, close } = await openBucket();
  undo.push(close);
  return {
    S3_BUCKET: bucket.bucket,
    S3_ENDPOINT: bucket.endpoint,
    S3_ACCESS_KEY_ID: bucket.accessKeyId,
    S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
  };
}
