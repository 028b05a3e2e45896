import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import postgres, { type Sql } from 'postgres';
import type { Target } from '../../db/client.ts';
import { addressOf } from '../../db/embedded/socket.ts';
import { sellers } from '../../db/seed/listings.ts';
import { Jar } from '../support/jar.ts';
import { source } from '../support/processes.ts';

export type Person = { jar: Jar; userId: string; address: string };
export type Answer = { status: number; body: Record<string, unknown> };

/** The market in a process that can be killed: `bun api/server.ts` itself, on a Postgres that stays. */
export type Place = {
  /** Connections of the run's own, which it ends last. */
  sql: Sql;
  admin: Person;
  signUp(name: string): Promise<Person>;
  /** One request; throws where there was no answer. */
  ask(as: Person, path: string, init?: { method?: string; json?: unknown; key?: string }): Promise<Answer>;
  /** Settles once the server answers: at once while it runs. */
  up(): Promise<void>;
  /** Ends it as the kernel would, with no time for a word, and starts it again. */
  killAndRestart(): Promise<void>;
  /** Runs one of the project's commands on the same database; answers its exit code and its words. */
  command(file: string): Promise<{ code: number; said: string }>;
  stop(): Promise<void>;
};

/** Connections of the run itself are called so, that it does not end its own. */
const applicationName = 'faults';
const password = 'a good password';

export const urlOf = (target: Target): string => {
  if (typeof target === 'string') return target;
  const { host, port = 5432, database = '' } = target as { host: string; port?: number; database?: string };
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
  /** Settles with the line that it is ready with; rejects with what it said when it ended instead. */
  ready(): Promise<string>;
  start(): Promise<string>;
  /** Ends it as the kernel would. */
  kill(): Promise<void>;
  /** Asks it to end, and waits until it has; answers its exit code. */
  end(): Promise<number | null>;
};

export function openServer(env: Record<string, string | undefined>): Server {
  let child: ChildProcess;
  let starting: Promise<string>;
  function start(): Promise<string> {
    child = spawn(process.versions.bun ? process.execPath : 'bun', [source('api/server.ts')], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said: string[] = [];
    createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => said.push(line) > 40 && said.shift());
    starting = new Promise((resolve, reject) => {
      createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => line.startsWith('ready ') && resolve(line));
      child.once('exit', () => reject(new Error(`The server ended before it was ready:\n${said.join('\n')}`)));
    });
    // Whoever waits hears of it; nobody may be waiting.
    starting.catch(() => {});
    return starting;
  }
  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  void start();
  return {
    ready: () => starting,
    start,
    kill,
    async end() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      return child.exitCode;
    },
  };
}

/** What a place's server is started with. It is a demo, for the simulated payments, whose market stays empty. */
export const placeEnv = (url: string, port: number, folder: string) => ({
  ...process.env,
  DATABASE_URL: url,
  DEMO: '1',
  PORT: String(port),
  DATA_DIR: folder,
  TRUST_PROXY: '1',
  LOAD_LIMITS: '10000',
  LOG_LEVEL: 'critical',
});

/** Connections of a run's own to a migrated database, which the demo then takes for one that was filled before. */
export async function openRun(url: string): Promise<Sql> {
  const sql = postgres(url, { max: 2, onnotice: () => {}, connection: { application_name: applicationName } });
  await sql`insert into sellers (name, email) values ('Demo', ${String(sellers[0]?.email)})`;
  return sql;
}

/** Starts the server on a migrated database. */
export async function openPlace(target: Target): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'marche54-faults-'));
  const port = await freePort();
  const url = urlOf(target);
  const sql = await openRun(url);
  const env = placeEnv(url, port, folder);
  const server = openServer(env);
  const people = await openPeople(sql, () => `http://localhost:${port}`, await server.ready());
  return {
    sql,
    ...people,
    up: async () => void (await server.ready()),
    async killAndRestart() {
      await server.kill();
      await server.start();
    },
    command: commandIn(env),
    async stop() {
      await server.kill();
      await sql.end({ timeout: 2 });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs one of the project's commands with an environment; answers its exit code and its words. */
export const commandIn = (env: Record<string, string | undefined>) => async (file: string) => {
  const run = spawn(process.versions.bun ? process.execPath : 'bun', [source(file)], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let words = '';
  run.stdout.setEncoding('utf8').on('data', (more: string) => (words += more));
  const [code] = await once(run, 'close');
  return { code: Number(code), said: words.trim() };
};

/**
 * Those who ask, and the admin first of all.
 * @param home where the next request goes
 * @param said the line that the server was ready with, which has the admin's password
 */
export async function openPeople(sql: Sql, home: () => string, said: string): Promise<Pick<Place, 'admin' | 'signUp' | 'ask'>> {
  let people = 0;
  const newcomer = (): Person => ({ jar: new Jar(), userId: '', address: `192.0.2.${++people}` });
  const ask: Place['ask'] = async ({ jar, address }, path, { method, json, key } = {}) => {
    const origin = home();
    const headers = new Headers({ origin, cookie: jar.header(), 'x-forwarded-for': address });
    if (json !== undefined) headers.set('content-type', 'application/json');
    if (key !== undefined) headers.set('idempotency-key', key);
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const response = await fetch(`${origin}${path}`, {
      method: method ?? (json === undefined ? 'GET' : 'POST'),
      headers,
      ...body,
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    jar.keep(response.headers);
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : {} };
  };
  async function must(as: Person, path: string, json?: unknown): Promise<Answer> {
    const answer = await ask(as, path, { json });
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer;
  }
  const identified = async (person: Person, email: string): Promise<Person> => {
    const [row] = await sql<{ id: string }[]>`select id from "user" where email = ${email}`;
    return { ...person, userId: row?.id ?? '' };
  };

  const [, email = '', adminPassword = ''] = /admin (\S+) \/ ([^\s,]+)/.exec(said) ?? [];
  const admin = newcomer();
  await must(admin, '/api/auth/admin/sign-in', { email, password: adminPassword });
  return {
    admin: await identified(admin, email),
    async signUp(name) {
      const person = newcomer();
      const mailbox = `${name}@faults.example.test`;
      await must(person, '/api/auth/sign-up', { email: mailbox, password, name, selling: false });
      const [letter] = await sql<{ text: string }[]>`select body_text as text from outbox where recipient = ${mailbox} order by turn desc limit 1`;
      const token = /[?&]token=([^\s&]+)/.exec(letter?.text ?? '')?.[1] ?? '';
      await must(person, '/api/auth/verify-email', { token: decodeURIComponent(token), password });
      return identified(person, mailbox);
    },
    ask,
  };
}

/** Ends one connection of the server that is in the middle of writing, if there is one now. */
export async function endOneBackend(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ ended: boolean }[]>`select pg_terminate_backend(pid) as ended from pg_stat_activity
    where datname = current_database() and application_name <> ${applicationName} and backend_xid is not null
    order by random() limit 1`;
  return row?.ended ?? false;
}
