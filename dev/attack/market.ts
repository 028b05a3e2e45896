import '../../tests/support/apart.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { SMTPServer } from 'smtp-server';
import { existingCluster } from '../../db/embedded/clusterFolder.ts';
import { runningServer, type Server } from '../../db/embedded/server.ts';
import { freePort } from '../../tests/support/processes.ts';
import { type Networks, openNetworks } from './networks.ts';
import { cookiesFrom } from './requests.ts';

/** A demo market in its own process: the only one that an attack ever touches. */
export type Market = {
  url: string;
  port: number;
  pid: number;
  /** Its DATA_DIR. */
  folder: string;
  networks: Networks;
  seller: string;
  admin: string;
  sellerSignIn: { email: string; password: string };
  sql: Sql;
  /** The embedded Postgres as it runs now. */
  postmaster(): Promise<Server>;
  /** Makes the mail server answer held mails, and later ones at once. */
  releaseMail(): void;
  stop(): Promise<void>;
};

const main = new URL('../../api/server.ts', import.meta.url).pathname;
const heap = new URL('./heap.ts', import.meta.url).pathname;

/**
 * Starts the market like `bun start`, with a slow mail server and both chat networks. Its first
 * start with demo data takes half a minute.
 * @param heapFile where the market writes its memory use (heap.ts)
 * @param withNetworks false omits the networks, so that the demo has its own chat
 */
export async function startMarket({ heapFile = '', withNetworks = true } = {}): Promise<Market> {
  const folder = mkdtempSync(join(tmpdir(), 'marche54-attack-'));
  const post = await slowPost(90_000);
  const networks = openNetworks();
  const port = await freePort();
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: folder,
    DEMO: '1',
    SMTP_URL: post.url,
    LOG_LEVEL: 'critical',
    // The buyer names its own address (probe.ts), so that it does not share the attacker's limits.
    TRUST_PROXY: '1',
    ...(withNetworks ? networks.env : {}),
    ...(heapFile ? { HEAP_FILE: heapFile } : {}),
  };
  const server = Bun.spawn(
    [process.execPath, '--no-env-file', ...(heapFile ? ['--preload', heap] : []), main],
    { env, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const stopServer = async () => {
    server.kill('SIGTERM');
    await server.exited;
    post.close();
    networks.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const ready = await readyLine(server.stdout);
    const people = [...ready.matchAll(/(admin|seller) (\S+@\S+) \/ ([^\s,]+)/g)];
    const url = `http://127.0.0.1:${port}`;
    const signInOf = (role: 'admin' | 'seller') => {
      const [, , email = '', password = ''] = people.find(([, who]) => who === role) ?? [];
      return { email, password };
    };
    const signIn = async (role: 'admin' | 'seller') => {
      const path = role === 'admin' ? '/api/auth/admin/sign-in' : '/api/auth/sign-in';
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(signInOf(role)),
      });
      if (!response.ok)
        throw new Error(`The demo's ${role} could not sign in: ${await response.text()}`);
      return cookiesFrom(response);
    };
    const [seller, admin] = [await signIn('seller'), await signIn('admin')];
    const postmaster = async () => {
      const data = existingCluster(join(folder, 'postgres'));
      const running = data === undefined ? undefined : await runningServer(data);
      if (!running) throw new Error('The market has no database');
      return running;
    };
    const { socket } = await postmaster();
    const sql = postgres({
      ...socket,
      user: 'postgres',
      database: 'marche54',
      max: 2,
      fetch_types: false,
      onnotice: () => {},
    });
    return {
      url,
      port,
      folder,
      pid: server.pid,
      networks,
      seller,
      admin,
      sellerSignIn: signInOf('seller'),
      sql,
      postmaster,
      releaseMail: post.release,
      async stop() {
        await sql.end({ timeout: 1 });
        await stopServer();
      },
    };
  } catch (error) {
    await stopServer();
    throw error;
  }
}

/**
 * Waits until the demo's smaller picture files are made: the market's own work after a first start.
 */
export async function untilQuiet({ sql }: Market): Promise<void> {
  for (
    const deadline = performance.now() + 180_000;
    performance.now() < deadline;
    await Bun.sleep(2000)
  ) {
    const [left] = await sql<{ count: number }[]>`
      select count(*)::int as count from products, jsonb_array_elements(images) as image where removed_at is null and not image ? 'avif'`;
    if (left?.count === 0) return;
  }
}

async function readyLine(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true });
    const ready = /^ready .*$/m.exec(text)?.[0];
    if (ready) return ready;
  }
  throw new Error(`The market did not start:\n${text}`);
}

/** A mail server that accepts a mail and delays its answer. */
async function slowPost(delayMs: number): Promise<{ url: string; release(): void; close(): void }> {
  const held = new Set<() => void>();
  let slow = true;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, done) {
      stream.resume();
      stream.on('end', () => {
        if (!slow) return done();
        const answer = () => {
          clearTimeout(timer);
          held.delete(answer);
          done();
        };
        const timer = setTimeout(answer, delayMs);
        held.add(answer);
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  if (!address || typeof address === 'string') throw new Error('The mail server has no port');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    release() {
      slow = false;
      for (const answer of held) answer();
    },
    close: () => void server.close(),
  };
}
