import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { existingCluster } from '../../db/embedded/clusterFolder.ts';
import { runningServer } from '../../db/embedded/server.ts';
import { freePort } from '../../tests/support/processes.ts';
import { openNetworks } from './networks.ts';
import { newcomer, type Person, signIn, signInOf } from './people.ts';
import { onEnd, say } from './program.ts';
import { type Environment, openServer } from './server.ts';

/** A demo market of its own on the embedded database, filled as `bun start` does it. */
export type Demo = {
  url: string;
  port: number;
  pid: number;
  seller: Person;
  sellerSignIn: { email: string; password: string };
  sql: Sql;
};

/** Settings of a demo in a data folder, for its server and its commands. */
export const demoEnv = (folder: string, port = 5454): Environment => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  HOST: '127.0.0.1',
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  DATA_DIR: folder,
  DEMO: '1',
  LOG_LEVEL: 'critical',
  // Each request names its own address, so that nobody shares another's limits.
  TRUST_PROXY: '1',
});

/**
 * Starts it, which takes half a minute; it ends with the program.
 * @param withNetworks false omits the chat networks, so that the demo has its own chat
 */
export async function startDemo({ withNetworks = true } = {}): Promise<Demo> {
  say('starting a market of its own');
  const folder = mkdtempSync(join(tmpdir(), 'marche54-demo-'));
  onEnd(() => rmSync(folder, { recursive: true, force: true }));
  const networks = openNetworks();
  onEnd(() => networks.stop());
  const port = await freePort();
  const server = openServer({ ...demoEnv(folder, port), ...(withNetworks ? networks.env : {}) });
  onEnd(() => server.end());
  const said = await server.ready();
  const url = `http://127.0.0.1:${port}`;
  const sellerSignIn = signInOf(said, 'seller');
  const data = existingCluster(join(folder, 'postgres'));
  const running = data === undefined ? undefined : await runningServer(data);
  if (!running) throw new Error('The market has no database');
  const sql = postgres({
    ...running.socket,
    user: 'postgres',
    database: 'marche54',
    max: 2,
    fetch_types: false,
    onnotice: () => {},
  });
  onEnd(() => sql.end({ timeout: 1 }));
  const seller = await signIn(url, 'seller', sellerSignIn, newcomer('192.0.2.251'));
  return { url, port, pid: server.pid(), seller, sellerSignIn, sql };
}

/** Waits until the demo's smaller picture files are made: its own work after a first start. */
export async function untilQuiet({ sql }: Demo): Promise<void> {
  say('waiting until its pictures are made');
  for (const deadline = performance.now() + 180_000; performance.now() < deadline; ) {
    const [left] = await sql<{ count: number }[]>`
      select count(*)::int as count from products, jsonb_array_elements(images) as image where removed_at is null and not image ? 'avif'`;
    if (left?.count === 0) return;
    await Bun.sleep(2000);
  }
}
