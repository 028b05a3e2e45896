import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { closeSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import type { ClusterFolder } from './clusterFolder.ts';
import { codeOf, EmbeddedPostgresError, FolderInUse, notRunnable, startFailure } from './errors.ts';
import { logOf, openLog, writeInside } from './files.ts';
import { endOrphans, exists, isPostgresOf, pause, runOf, surroundings } from './process.ts';
import { port, type Socket, socketFolder } from './socket.ts';

/**
 * `run` tells the process from a later one with the same pid; `exited` is set if this process
 * started it.
 */
export type Server = { pid: number; run: string; socket: Socket; exited?: Promise<void> };

// Recovery after a power cut may read a gigabyte of log from a slow disk first.
export const patience = 5 * 60_000;

/**
 * The server a killed process left running on this folder. Waits for one that is starting or
 * stopping.
 */
export async function runningServer(data: string): Promise<Server | undefined> {
  for (const deadline = Date.now() + patience; ; await pause(10)) {
    const lock = readLock(data);
    if (!lock || lock.pid < 0) return undefined;
    if (!lock.pid) {
      // Damaged by a power cut; Postgres would refuse to start.
      rmSync(lockOf(data));
      return undefined;
    }
    const run = runOf(lock.pid);
    if (run === undefined) {
      // A zombie, which Postgres takes for a living process.
      if (exists(lock.pid)) retire(data);
      return undefined;
    }
    if (!isPostgresOf(lock.pid, data)) {
      retire(data);
      return undefined;
    }
    const server = { pid: lock.pid, run, socket: { host: lock.socket, port: lock.port } };
    if (lock.status === 'stopping') await stopServer(server);
    else if (lock.status === 'ready') {
      try {
        const [row] = await ask(
          server.socket,
          'postgres',
          (sql) => sql<{ data: string }[]>`select current_setting('data_directory') as data`,
        );
        if (row?.data === data) return server;
        // The folder was moved under a running server.
        await stopServer(server);
      } catch (error) {
        // /tmp was cleared, socket included.
        if (codeOf(error) === 'ENOENT') await stopServer(server);
        else if (!isPassing(error)) throw error;
      }
    }
    if (Date.now() > deadline) throw new FolderInUse(data, lock.pid);
  }
}

/**
 * Starts a server and waits until it accepts connections. Throws EmbeddedPostgresError with the end
 * of its log.
 */
export async function launch(
  place: ClusterFolder,
  settings: Record<string, string>,
): Promise<Server> {
  const { data, account, binaries } = place;
  const host = socketFolder(data, account);
  const options = { ...defaults, ...settings };
  const args = ['-D', data, '-k', `"${host.replaceAll('"', '""')}"`, '-p', String(port)];
  for (const [name, value] of Object.entries(options)) args.push('-c', `${name}=${value}`);

  for (const deadline = Date.now() + 15_000; ; await pause(50)) {
    const log = openLog(data);
    try {
      // Ctrl-C must not stop the database before the app has finished its requests.
      const how: SpawnOptions = {
        ...surroundings(account),
        detached: true,
        stdio: ['ignore', log.descriptor, log.descriptor],
      };
      const outcome = await untilReady(() => spawn(binaries.postgres, args, how), data, host);
      if (typeof outcome !== 'string') return outcome;
      const said = log.sinceOpened();
      // Left by a killed server: idle children end by themselves, those in a query do not.
      if (said.includes('pre-existing shared memory block') && Date.now() < deadline) {
        endOrphans(data);
        continue;
      }
      throw startFailure(
        `The database in ${data} could not be started: ${outcome}. The end of ${logOf(data)}:`,
        said,
      );
    } finally {
      closeSync(log.descriptor);
    }
  }
}

const defaults = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '64MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_min_messages: 'warning',
};

/** Returns a sentence if it ended before it was ready. */
async function untilReady(
  start: () => ChildProcess,
  data: string,
  host: string,
): Promise<Server | string> {
  let ended: string | undefined;
  let broken: unknown;
  const child = start();
  const exited = Promise.withResolvers<void>();
  child.on('error', (error) => (broken = error));
  child.on('exit', (code, signal) => {
    ended = signal ? `postgres was ended by ${signal}` : `postgres ended with code ${code}`;
    exited.resolve();
  });
  child.unref();
  for (const deadline = Date.now() + patience; Date.now() < deadline; await pause(4)) {
    if (broken) notRunnable('postgres', broken);
    if (ended) return ended;
    const lock = child.pid && readLock(data);
    if (!lock || lock.pid !== child.pid || lock.status !== 'ready') continue;
    return {
      pid: lock.pid,
      run: runOf(lock.pid) ?? 'unknown',
      socket: { host, port },
      exited: exited.promise,
    };
  }
  if (child.pid) process.kill(child.pid, 'SIGQUIT');
  return `it was not ready after ${patience / 1000} seconds`;
}

/**
 * Stops a server and waits for its end: fast at first, after 10 seconds immediate (the next start
 * recovers from the log).
 */
export async function stopServer({ pid, run }: Pick<Server, 'pid' | 'run'>): Promise<void> {
  for (const [signal, seconds] of [
    ['SIGINT', 10],
    ['SIGQUIT', 15],
  ] as const) {
    if (runOf(pid) !== run) return;
    process.kill(pid, signal);
    for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline; await pause(4))
      if (runOf(pid) !== run) return;
  }
  throw new EmbeddedPostgresError(`The Postgres process ${pid} does not stop.`);
}

/** Stops a server left on this folder without a query, as its database may be damaged. */
export async function stopLeftServer(data: string): Promise<void> {
  const pid = readLock(data)?.pid ?? 0;
  const run = pid > 0 && isPostgresOf(pid, data) ? runOf(pid) : undefined;
  if (run !== undefined) await stopServer({ pid, run });
}

/** A server that was taken over is polled, as it is no child of ours. */
export async function ended({ pid, run, exited }: Server): Promise<void> {
  if (exited) return exited;
  while (runOf(pid) === run) await pause(1000);
}

/** Creates the database if missing and checks that it opens. */
export async function ensureDatabase(socket: Socket, name: string): Promise<void> {
  for (const deadline = Date.now() + 10_000; ; await pause(10)) {
    try {
      const found = await ask(
        socket,
        'postgres',
        (sql) => sql`select from pg_database where datname = ${name}`,
      );
      if (found.count) await ask(socket, name, (sql) => sql`select 1`);
      else await ask(socket, 'postgres', (sql) => sql.unsafe(`create database "${name}"`));
      return;
    } catch (error) {
      if (codeOf(error) === '42P04') return;
      if (!isPassing(error) || Date.now() > deadline) throw error;
    }
  }
}

async function ask<T>(
  { host, port }: Socket,
  database: string,
  question: (sql: postgres.Sql) => Promise<T>,
): Promise<T> {
  const sql = postgres({
    host,
    port,
    database,
    user: 'postgres',
    ssl: false,
    max: 1,
    fetch_types: false,
    connect_timeout: 10,
    onnotice: () => {},
  });
  try {
    return await question(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Worth a retry: starting up, shutting down, out of connections, connection lost. */
function isPassing(error: unknown): boolean {
  return [
    '57P03',
    '57P01',
    '53300',
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'CONNECTION_CLOSED',
    'CONNECT_TIMEOUT',
  ].includes(codeOf(error) ?? '');
}

type Lock = { pid: number; port: number; socket: string; status: string };

/** Lines of postmaster.pid: pid, folder, start, port, socket folder, address, memory, status. */
function readLock(data: string): Lock | undefined {
  try {
    const [pid = '', , , port = '', socket = '', , , status = ''] = readFileSync(
      lockOf(data),
      'utf8',
    ).split('\n');
    return { pid: Number(pid), port: Number(port), socket, status: status.trim() };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Postgres would refuse to start if a dead server's pid now belongs to another process. Replaces
 * only the pid, by an impossible one: from the rest Postgres still detects children that hold the
 * memory, so no second server can run beside them.
 */
function retire(data: string): void {
  const [, ...rest] = readFileSync(lockOf(data), 'utf8').split('\n');
  writeInside(data, 'postmaster.pid', ['4194305', ...rest].join('\n'));
}

const lockOf = (data: string) => join(data, 'postmaster.pid');
