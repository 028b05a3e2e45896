import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect as reach } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import type { Target } from '../../db/client.ts';
import { onFreePort, source } from '../../tests/support/processes.ts';
import { replaced } from '../../tests/support/sample.ts';
import { pathOf } from '../programs.ts';

/** Forwards a port to a Unix socket that PgBouncer's account may not open. */
async function portOf(path: string): Promise<{ port: number; close(): void }> {
  const relay = createServer((near) => {
    const far = reach(path);
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const)
      end.pipe(other).on('error', () => end.destroy());
  });
  await new Promise<void>((ready) => relay.listen(0, '127.0.0.1', ready));
  return { port: (relay.address() as { port: number }).port, close: () => relay.close() };
}

export type Pooler = { url: string; stop(): Promise<void> };

/**
 * Starts PgBouncer in transaction mode as docs/scaling.md describes, before a Postgres without
 * passwords.
 */
export const openPooler = (target: Target): Promise<Pooler> =>
  onFreePort((port) => startPooler(port, target));

async function startPooler(port: number, target: Target): Promise<Pooler> {
  if (typeof target === 'string') throw new Error('Only the tests’ own Postgres has no passwords');
  const {
    host,
    port: number = 5432,
    database,
  } = target as { host: string; port?: number; database: string };
  const door = await portOf(`${host}/.s.PGSQL.${number}`);
  const folder = mkdtempSync(join(tmpdir(), 'marche54-pooler-'));
  // deploy/pgbouncer.ini with local ports and folders, and without passwords.
  const settings = replaced(readFileSync(source('deploy/pgbouncer.ini'), 'utf8'), [
    [
      /^\* = host=127\.0\.0\.1 port=5432 /m,
      `market = host=127.0.0.1 port=${door.port} dbname=${database} user=postgres `,
    ],
    [/^listen_port = 6432$/m, `listen_port = ${port}`],
    [
      /^auth_type = scram-sha-256\nauth_file = .+$/m,
      'auth_type = any\nserver_tls_sslmode = disable',
    ],
    [/^default_pool_size = 20$/m, 'default_pool_size = 8'],
    [/^logfile = .+\npidfile = .+$/m, ''],
  ]);
  writeFileSync(join(folder, 'pgbouncer.ini'), settings);
  chmodSync(folder, 0o755);
  const root = process.geteuid?.() === 0;
  const child: ChildProcess = spawn(
    String(pathOf('pgbouncer')),
    [...(root ? ['-u', 'postgres'] : []), join(folder, 'pgbouncer.ini')],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr
    ?.setEncoding('utf8')
    .on('data', (more: string) => (said = (said + more).slice(-4000)));
  const url = `postgres://postgres@127.0.0.1:${port}/market`;
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    door.close();
    rmSync(folder, { recursive: true, force: true });
  };
  for (let left = 20; ; left--) {
    const sql = postgres(url, { max: 1, prepare: false, fetch_types: false, connect_timeout: 1 });
    try {
      await sql`select 1`;
      return { url, stop };
    } catch (error) {
      if (left > 0 && child.exitCode === null && (await pause(100, true))) continue;
      await stop();
      throw new Error(`PgBouncer cannot be used: ${said}`, { cause: error });
    } finally {
      await sql.end({ timeout: 1 });
    }
  }
}
