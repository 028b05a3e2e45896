import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import type { Target } from '../../db/client.ts';
import { addressOf } from '../../db/embedded/socket.ts';
import { sellers } from '../../db/seed/listings.ts';
import type { Cluster } from '../support/cluster.ts';
import { inDatabase } from '../support/global.ts';
import { ownEnvironment } from '../support/ownEnvironment.ts';
import { source } from '../support/processes.ts';
import { openChatNetwork } from './chatNetwork.ts';
import { openPeople, type People } from './people.ts';

/** What can be killed: a process of the market, Postgres with all that it has in memory, or one connection in the middle of writing. */
export type Victim = 'server' | 'postgres' | 'backend';

/** The market in processes that can be killed: `bun api/server.ts` itself, and the Postgres that it stands on. */
export type Place = People & {
  /** Connections of the run's own, which it ends last. */
  sql: Sql;
  /** Settles once the server answers: at once while it runs. */
  up(): Promise<void>;
  /** Kills, with no time for a word, and starts again; answers whether there was something to kill. */
  kill: Partial<Record<Victim, () => Promise<boolean>>>;
  /** What a server said that ended although nobody had killed it, nor its database while it started. */
  ended: string[];
  /** How many messages the bot sent to each chat; nothing where there is no chat network. */
  heard?: ReadonlyMap<string, number>;
  /** Runs one of the project's commands on the same database; answers its exit code and its words. */
  command(file: string): Promise<{ code: number; said: string }>;
  stop(): Promise<void>;
};

/** Connections of the run itself are called so, that it does not end its own. */
const applicationName = 'faults';

export const urlOf = (target: Target): string => {
  if (typeof target === 'string') return target;
  const {
    host,
    port = 5432,
    database = '',
  } = target as { host: string; port?: number; database?: string };
  return addressOf({ host, port }, database);
};

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** A server process that starts at once, and can be killed and started again. */
export type Server = {
  pid(): number;
  /** Settles with the line that it is ready with; rejects with what it said when it ended instead. */
  ready(): Promise<string>;
  start(): Promise<string>;
  /** Ends it as the kernel would. */
  kill(): Promise<void>;
  /** Asks it to end, and waits until it has; answers its exit code. */
  end(): Promise<number | null>;
};

type Environment = Record<string, string | undefined>;
/** Where a program runs, when that is not simply here: another command around it. */
type Inside = (command: readonly string[]) => readonly string[];
const bun = process.versions.bun ? process.execPath : 'bun';
const spawnIn = (
  env: Environment,
  file: string,
  inside: Inside,
  stdio: StdioOptions,
  args: readonly string[] = [],
) => {
  const [program = '', ...rest] = inside([bun, '--no-env-file', source(file), ...args]);
  return spawn(program, rest, { env, stdio });
};

/** @param fell called when it ended and nobody had asked or killed it, with its last words, when it was begun and whether it had been ready */
export function openServer(
  env: Environment,
  fell: (words: string, begun: number, wasReady: boolean) => void = () => {},
  inside: Inside = (as) => as,
): Server {
  let child: ChildProcess;
  let starting: Promise<string>;
  let asked = false;
  function start(): Promise<string> {
    asked = false;
    const begun = performance.now();
    const mine = spawnIn(env, 'api/server.ts', inside, ['ignore', 'pipe', 'pipe']);
    child = mine;
    const said: string[] = [];
    let ready = false;
    createInterface({ input: mine.stderr as NodeJS.ReadableStream }).on(
      'line',
      (line) => said.push(line) > 40 && said.shift(),
    );
    starting = new Promise((resolve, reject) => {
      createInterface({ input: mine.stdout as NodeJS.ReadableStream }).on('line', (line) => {
        if (!line.startsWith('ready ')) return;
        ready = true;
        resolve(line);
      });
      mine.once('exit', () => {
        reject(new Error(`The server ended before it was ready:\n${said.join('\n')}`));
        if (!asked) fell(said.join('\n'), begun, ready);
      });
    });
    // Whoever waits hears of it; nobody may be waiting.
    starting.catch(() => {});
    return starting;
  }
  async function kill(): Promise<void> {
    asked = true;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  void start();
  return {
    pid: () => child.pid ?? 0,
    ready: () => starting,
    start,
    kill,
    async end() {
      asked = true;
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      return child.exitCode;
    },
  };
}

/** What a place's server is started with. It is a demo, for the simulated payments, whose market stays empty. */
export const placeEnv = (url: string, port: number, folder: string) => ({
  ...ownEnvironment(),
  DATABASE_URL: url,
  DEMO: '1',
  PORT: String(port),
  DATA_DIR: folder,
  TRUST_PROXY: '1',
  LOAD_LIMITS: '10000',
  UPLOADS_PER_HOUR: '100000',
  LOG_LEVEL: 'critical',
});

/** Connections of a run's own to a migrated database, which the demo then takes for one that was filled before. */
export async function openRun(url: string): Promise<Sql> {
  const sql = postgres(url, {
    max: 4,
    onnotice: () => {},
    connection: { application_name: applicationName },
  });
  await sql`insert into sellers (name, email) values ('Demo', ${String(sellers[0]?.email)})`;
  return sql;
}

/** Starts the server on a Postgres of the run's own, as a supervisor does: it is started again when it ends. */
export async function openPlace(cluster: Cluster): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'marche54-faults-'));
  const port = await freePort();
  const url = urlOf(inDatabase(cluster.target, cluster.database));
  const sql = await openRun(url);
  const network = openChatNetwork();
  const env = { ...placeEnv(url, port, folder), ...network.env };
  const ended: string[] = [];
  let databaseBack = Number.NEGATIVE_INFINITY;
  let over = false;
  const server = openServer(env, (words, begun, wasReady) => {
    if (over) return;
    if (wasReady || databaseBack < begun) ended.push(words);
    setTimeout(() => over || void server.start(), 20);
  });
  async function up(): Promise<void> {
    while (!(await server.ready().catch(() => undefined))) await pause(20);
  }
  return {
    sql,
    ...(await openPeople(sql, () => `http://localhost:${port}`, await server.ready())),
    up,
    ended,
    heard: network.heard,
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
      network.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs one of the project's commands with an environment and with words on its standard input; answers its exit code and its words. */
export const commandIn =
  (env: Environment, inside: Inside = (as) => as, input = '') =>
  async (file: string, ...args: readonly string[]) => {
    const run = spawnIn(env, file, inside, ['pipe', 'pipe', 'inherit'], args);
    run.stdin?.on('error', () => {}).end(input);
    let words = '';
    run.stdout?.setEncoding('utf8').on('data', (more: string) => (words += more));
    const [code] = await once(run, 'close');
    return { code: Number(code), said: words.trim() };
  };

/** Ends one connection of the server that is in the middle of writing, if there is one now. */
export async function endOneBackend(sql: Sql): Promise<boolean> {
  const [row] = await sql<
    { ended: boolean }[]
  >`select pg_terminate_backend(pid) as ended from pg_stat_activity
    where datname = current_database() and application_name <> ${applicationName} and backend_xid is not null
    order by random() limit 1`;
  return row?.ended ?? false;
}
