import { createServer, connect as reach, type Socket } from 'node:net';
import { afterAll } from 'vitest';
import { connect } from '../../db/client.ts';
import type { TestDatabase } from './database.ts';

function addressOf(
  target: TestDatabase['target'],
): { path: string } | { host: string; port: number } {
  if (typeof target === 'string') {
    const { hostname, port } = new URL(target);
    return { host: hostname, port: Number(port || 5432) };
  }
  const [host, port] = [String(target.host), Number(target.port ?? 5432)];
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
}

type LosableDatabase = TestDatabase & {
  lose(): void;
  bringBack(): void;
  /**
   * Cuts the connection that sends the next message after so many; `done` tells if that has
   * happened.
   */
  cutAfter(messages: number): { done(): boolean };
};

/** Opens a test database that can become unreachable. Call it at the top of a test file. */
export async function losableDatabase(database: TestDatabase): Promise<LosableDatabase> {
  const address = addressOf(database.target);
  const open = new Set<Socket>();
  let lost = false;
  let left: number | undefined;
  const relay = createServer((near) => {
    if (lost) return near.destroy();
    const far = reach(address);
    // Added before the pipe, so that the cut message never reaches the server.
    near.on('data', () => {
      if (left === undefined || left-- > 0) return;
      left = undefined;
      near.destroy();
      far.destroy();
    });
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(end);
      end.pipe(other);
      end.on('error', () => {});
      end.on('close', () => {
        open.delete(end);
        other.destroy();
      });
    }
  });
  await new Promise<void>((ready) => relay.listen(0, '127.0.0.1', ready));
  const { port } = relay.address() as { port: number };
  const { target } = database;
  const near =
    typeof target === 'string'
      ? Object.assign(new URL(target), { hostname: '127.0.0.1', port }).href
      : { ...target, host: '127.0.0.1', port };
  const pool = connect(near, { max: 10 });
  afterAll(async () => {
    await pool.close();
    relay.close();
  });
  return {
    ...database,
    ...pool,
    lose() {
      lost = true;
      for (const end of open) end.destroy();
    },
    bringBack() {
      lost = false;
    },
    cutAfter(messages) {
      left = messages;
      return { done: () => left === undefined };
    },
  };
}
