import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import postgres, { type Sql } from 'postgres';
import type { Target } from '../../db/client.ts';
import { addressOf } from '../../db/embedded/socket.ts';
import { sellers } from '../../db/seed/listings.ts';
import { type Cluster, startCluster } from '../../tests/support/cluster.ts';
import { inDatabase } from '../../tests/support/global.ts';
import { ownEnvironment } from '../../tests/support/ownEnvironment.ts';
import { source } from '../../tests/support/processes.ts';
import { onEnd } from './program.ts';

export type Environment = Record<string, string | undefined>;
/** Wraps a command in another one: a namespace, a priority. */
type Inside = (command: readonly string[]) => readonly string[];
const bun = process.versions.bun ? process.execPath : 'bun';
const linesKept = 2000;

/** A server process, started at once, that can be killed and restarted. */
export type Server = {
  pid(): number;
  /** Settles with the ready line; rejects with the output of a server that ended first. */
  ready(): Promise<string>;
  start(): Promise<string>;
  kill(): Promise<void>;
  /** Stops it gracefully; returns its exit code. */
  end(): Promise<number | null>;
  /** The exit code of the last process; undefined while it runs. */
  ended(): number | undefined;
  /** The last lines of its error output. */
  log: readonly string[];
};

type ServerOptions = {
  /** Called when it ended unprompted: its last output, its start time and whether it was ready. */
  fell?: (words: string, begun: number, wasReady: boolean) => void;
  inside?: Inside;
  /** The sources, by default these. */
  root?: string;
};

/** Starts `bun api/server.ts` with an environment. */
export function openServer(
  env: Environment,
  { fell = () => {}, inside = (as) => as, root = source('.') }: ServerOptions = {},
): Server {
  const log: string[] = [];
  let child: ChildProcess;
  let starting: Promise<string>;
  let asked = false;
  function start(): Promise<string> {
    asked = false;
    const begun = performance.now();
    const [file = '', ...args] = inside([bun, '--no-env-file', 'api/server.ts']);
    const mine = spawn(file, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    child = mine;
    log.length = 0;
    let ready = false;
    createInterface({ input: mine.stderr }).on(
      'line',
      (line) => log.push(line) > linesKept && log.shift(),
    );
    starting = new Promise((resolve, reject) => {
      createInterface({ input: mine.stdout }).on('line', (line) => {
        if (!line.startsWith('ready ')) return;
        ready = true;
        resolve(line);
      });
      mine.once('exit', () => {
        const words = log.slice(-40).join('\n');
        reject(new Error(`The server ended before it was ready:\n${words}`));
        if (!asked) fell(words, begun, ready);
      });
    });
    // Avoids an unhandled rejection when no caller waits yet.
    starting.catch(() => {});
    return starting;
  }
  const over = () => child.exitCode !== null || child.signalCode !== null;
  async function stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    asked = true;
    if (!over()) {
      child.kill(signal);
      await once(child, 'exit');
    }
    return child.exitCode;
  }
  void start();
  return {
    pid: () => child.pid ?? 0,
    ready: () => starting,
    start,
    kill: () => stop('SIGKILL').then(() => {}),
    end: () => stop('SIGTERM'),
    ended: () => (over() ? (child.exitCode ?? -1) : undefined),
    log,
  };
}

/** Environment of a server: an empty demo market, for its simulated payments. */
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

/** `hung`: it was killed at the end of its time. `ms`: how long it took. */
export type Ran = { code: number; said: string; failed: string; hung: boolean; ms: number };
type CommandOptions = { inside?: Inside; input?: string; seconds?: number; root?: string };

/** Runs files of the project with an environment, for at most some seconds. */
export const commandIn =
  (
    env: Environment,
    { inside = (as) => as, input = '', seconds = 600, root = source('.') }: CommandOptions = {},
  ) =>
  async (...args: readonly string[]): Promise<Ran> => {
    const started = performance.now();
    const [file = '', ...rest] = inside([bun, '--no-env-file', ...args]);
    const child = spawn(file, rest, {
      cwd: root,
      env,
      stdio: 'pipe',
      timeout: seconds * 1000,
      killSignal: 'SIGKILL',
    });
    child.stdin.on('error', () => {}).end(input);
    let [said, failed] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (more: string) => (said += more));
    child.stderr.setEncoding('utf8').on('data', (more: string) => (failed += more));
    const [code, signal] = await once(child, 'close');
    return {
      code: Number(code ?? 1),
      said: said.trim(),
      failed: failed.trim(),
      hung: signal === 'SIGKILL',
      ms: performance.now() - started,
    };
  };

/** Marks the run's own connections, so that it does not kill them. */
const applicationName = 'testbed';

export const urlOf = (target: Target): string => {
  if (typeof target === 'string') return target;
  const {
    host,
    port = 5432,
    database = '',
  } = target as { host: string; port?: number; database?: string };
  return addressOf({ host, port }, database);
};

/** Starts a Postgres that keeps what it committed; it ends with the program. */
export async function ownCluster(): Promise<{ cluster: Cluster; target: Target; url: string }> {
  const cluster = await startCluster({ durable: true });
  onEnd(() => cluster.stop());
  const target = inDatabase(cluster.target, cluster.database);
  return { cluster, target, url: urlOf(target) };
}

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

/** Ends one server connection that is writing now; returns whether there was one. */
export async function endOneBackend(sql: Sql): Promise<boolean> {
  const [row] = await sql<
    { ended: boolean }[]
  >`select pg_terminate_backend(pid) as ended from pg_stat_activity
    where datname = current_database() and application_name <> ${applicationName} and backend_xid is not null
    order by random() limit 1`;
  return row?.ended ?? false;
}
