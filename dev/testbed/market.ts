import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from 'postgres';
import type { Cluster } from '../../tests/support/cluster.ts';
import { inDatabase } from '../../tests/support/global.ts';
import { freePort } from '../../tests/support/processes.ts';
import { openNetworks } from './networks.ts';
import { openPeople, type People } from './people.ts';
import {
  commandIn,
  endOneBackend,
  openRun,
  openServer,
  type Ran,
  testbedEnv,
  urlOf,
} from './server.ts';

/** Targets to kill: a process, Postgres with its memory, or one connection during a write. */
export type Victim = 'server' | 'postgres' | 'backend';

/** A market in processes that can be killed, and people who use it. */
export type Testbed = People & {
  /** The run's own connections, closed last. */
  sql: Sql;
  /** Settles once the market answers. */
  up(): Promise<void>;
  /** Kills without warning and restarts; returns whether there was a target. */
  kill: Partial<Record<Victim, () => Promise<boolean>>>;
  /** Output of servers that ended unprompted, unless their database was killed as they started. */
  ended: string[];
  /** Messages the bot sent, by chat; undefined without a chat network. */
  heard?: ReadonlyMap<string, number>;
  /** Runs a command of the project on the same database. */
  command(file: string): Promise<Ran>;
  stop(): Promise<void>;
};

/** Starts one process on the run's own Postgres and restarts it when it ends, like a supervisor. */
export async function openTestbed(
  cluster: Cluster,
  more: Record<string, string> = {},
): Promise<Testbed> {
  const folder = mkdtempSync(join(tmpdir(), 'marche54-testbed-'));
  const port = await freePort();
  const url = urlOf(inDatabase(cluster.target, cluster.database));
  const sql = await openRun(url);
  const networks = openNetworks();
  const env = { ...testbedEnv(url, port, folder), ...networks.env, ...more };
  const ended: string[] = [];
  let databaseBack = Number.NEGATIVE_INFINITY;
  let over = false;
  const server = openServer(env, {
    fell(words, begun, wasReady) {
      if (over) return;
      if (wasReady || databaseBack < begun) ended.push(words);
      setTimeout(() => over || void server.start(), 20);
    },
  });
  async function up(): Promise<void> {
    while (!(await server.ready().catch(() => undefined))) await pause(20);
  }
  return {
    sql,
    ...(await openPeople(sql, () => `http://localhost:${port}`, await server.ready())),
    up,
    ended,
    heard: networks.heard,
    kill: {
      async server() {
        await server.kill();
        void server.start();
        return true;
      },
      async postgres() {
        databaseBack = Number.POSITIVE_INFINITY;
        await cluster.crash();
        databaseBack = performance.now();
        return true;
      },
      backend: () => endOneBackend(sql),
    },
    command: commandIn(env),
    async stop() {
      over = true;
      await server.kill();
      await sql.end({ timeout: 2 });
      networks.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
