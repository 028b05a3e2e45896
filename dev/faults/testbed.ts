import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import type { Target } from '../../db/client.ts';
import { addressOf } from '../../db/embedded/socket.ts';
import { sellers } from '../../db/seed/listings.ts';
import type { Cluster } from '../../tests/support/cluster.ts';
import { inDatabase } from '../../tests/support/global.ts';
import { ownEnvironment } from '../../tests/support/ownEnvironment.ts';
import { freePort, source } from '../../tests/support/processes.ts';
import { openChatNetwork } from './chatNetwork.ts';
import { openPeople, type People } from './people.ts';

/** Targets to kill: a process, Postgres with its memory, or one connection during a write. */
export type Victim = 'server' | 'postgres' | 'backend';

/** The market in processes that can be killed: `bun api/server.ts` and its Postgres. */
export type Testbed = People & {
  /** The run's own connections, closed last. */
  sql: Sql;
  /** Settles once the server answers. */
  up(): Promise<void>;
  /** Kills without warning and restarts; returns whether there was a target. */
  kill: Partial<Record<Victim, () => Promise<boolean>>>;
  /** Output of servers that ended unprompted, unless their database was killed as they started. */
  ended: string[];
  /** Messages the bot sent, by chat; undefined without a chat network. */
  heard?: ReadonlyMap<string, number>;
  /** Runs a command of the project on the same database. */
  command(file: string): Promise<{ code: number; said: string }>;
  stop(): Promise<void>;
};

/** Marks the run's own connections, so that it does not kill them. */
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

/** A server process, started at once, that can be killed and restarted. */
export type Server = {
  pid(): number;
  /** Settles with the ready line; rejects with the output of a server that ended first. */
  ready(): Promise<string>;
  start(): Promise<string>;
  kill(): Promise<void>;
  /** Stops it gracefully; returns its exit code. */
  end(): Promise<number | null>;
};

type Environment = Record<string, string | undefined>;
/** Wraps a command in another one, to run it inside a namespace. */
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

/**
 * Starts a server process.
 * @param fell called when it ended unprompted: its last output, its start time and whether it was
 * ready
 */
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
    // Avoids an unhandled rejection when no caller waits yet.
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

/** Environment of a test bed's server: an empty demo market, for its simulated payments. */
export const testbedEnv = (url: string, port: number, folder: string) => ({
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

/** Connects to a migrated database and marks its demo as already filled. */
export async function openRun(url: string): Promise<Sql> {
  const sql = postgres(url, {
    max: 4,
    onnotice: () => {},
    connection: { application_name: applicationName },
  });
  await sql`insert into sellers (name, email) values ('Demo', ${String(sellers[0]?.email)})`;
  return sql;
}

/** Starts the server on the run's own Postgres and restarts it when it ends, like a supervisor. */
export async function openTestbed(cluster: Cluster): Promise<Testbed> {
  const folder = mkdtempSync(join(tmpdir(), 'marche54-faults-'));
  const port = await freePort();
  const url = urlOf(inDatabase(cluster.target, cluster.database));
  const sql = await openRun(url);
  const network = openChatNetwork();
  const env = { ...testbedEnv(url, port, folder), ...network.env };
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

/**
 * Runs a command of the project with an environment and standard input; returns exit code and
 * output.
 */
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

/** Ends one server connection that is writing now; returns whether there was one. */
export async function endOneBackend(sql: Sql): Promise<boolean> {
  const [row] = await sql<
    { ended: boolean }[]
  >`select pg_terminate_backend(pid) as ended from pg_stat_activity
    where datname = current_database() and application_name <> ${applicationName} and backend_xid is not null
    order by random() limit 1`;
  return row?.ended ?? false;
}
