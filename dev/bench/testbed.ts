import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import type { Sql } from 'postgres';
import type { Ctx } from '../../api/core/context.ts';
import { jobContext } from '../../api/core/jobContext.ts';
import { connect, type Db, migrateDatabase, type Target } from '../../db/client.ts';
import { startEmbeddedPostgres } from '../../db/embedded.ts';
import { ownEnvironment } from '../../tests/support/ownEnvironment.ts';
import { fillingServices, fillMarketWithPhotos } from '../testbed/fill.ts';
import { onEnd, say } from '../testbed/program.ts';
import type { ChildOptions, ChildState, FromChild, ToChild } from './child.ts';

/** A measurement's tools: the full market, its database, and server processes on demand. */
export type Bench = {
  target: Target;
  db: Db;
  sql: Sql;
  ctx: Ctx;
  products: { slotId: number; productId: string; slug: string }[];
  /** Starts a server process, which ends with the measurement or the bench. */
  start(options: ChildOptions): Promise<Child>;
  /** Removed at the end. */
  folder: string;
  /** The market; with `strip`, its pages without scripts. */
  market(options?: { strip?: boolean }): Promise<Child>;
  /** Prints progress to the error output. */
  say(text: string): void;
};
export type Child = {
  url: string;
  port: number;
  pid: number;
  state(): Promise<ChildState>;
  drop(): Promise<ChildState>;
  stop(): Promise<void>;
};

/**
 * Starts a separate Postgres with the product's settings, holding the full market, and a folder for
 * photos.
 */
export async function openTestbed(): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'marche54-bench-'));
  onEnd(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  say('starting Postgres');
  const embedded = await startEmbeddedPostgres({
    folder: join(folder, 'postgres'),
    outside: join(folder, 'outside'),
  });
  onEnd(() => embedded.stop());
  const target = embedded.connect();
  await migrateDatabase(target);
  const { db, sql, close } = connect(target);
  onEnd(close);
  const services = fillingServices(folder);
  onEnd(() => services.pictures.close());
  const ctx = jobContext({ db, services, now: () => new Date() }, 'bench');
  say('filling the stalls with photos');
  const products = await fillMarketWithPhotos(ctx);
  await sql`vacuum analyze`;
  const start = (options: ChildOptions) => startChild(options);
  return {
    target,
    db,
    sql,
    ctx,
    products,
    start,
    folder,
    say,
    market: ({ strip = false } = {}) => start({ kind: 'market', target, folder, strip }),
  };
}

async function startChild(options: ChildOptions): Promise<Child> {
  let ready: (port: number) => void = () => {};
  let failed: (error: Error) => void = () => {};
  const listening = new Promise<number>((resolve, reject) => {
    ready = resolve;
    failed = reject;
  });
  const waiting: ((state: ChildState) => void)[] = [];
  const child: Subprocess = Bun.spawn(
    [process.execPath, '--no-env-file', new URL('./child.ts', import.meta.url).pathname],
    {
      env: { ...ownEnvironment(), NODE_ENV: 'production' },
      stdio: ['ignore', 'inherit', 'inherit'],
      ipc(message: FromChild) {
        if ('port' in message) ready(message.port);
        else waiting.shift()?.(message);
      },
      onExit: () => failed(new Error('A server process of the bench ended')),
    },
  );
  let stopped = false;
  const send = (message: ToChild) => child.send(message);
  const ask = (message: ToChild) =>
    new Promise<ChildState>((resolve) => {
      waiting.push(resolve);
      send(message);
    });
  const stop = async () => {
    if (stopped) return;
    stopped = true;
    child.kill('SIGTERM');
    await child.exited;
  };
  onEnd(stop);
  send({ start: options });
  const port = await listening;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid,
    state: () => ask({ ask: 'state' }),
    drop: () => ask({ ask: 'drop' }),
    stop,
  };
}
