import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect as reach, type Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { listenForNews } from '../../api/live/listener.ts';
import { createLog } from '../../api/ops/log.ts';
import { connect, type Database, type Limits, outageOf, type Target } from '../../db/client.ts';
import { freshDatabase } from '../support/database.ts';

const database = await freshDatabase();
const opened: Database[] = [];
const open = (target: Target, limits: Limits = {}) => {
  const pools = connect(target, limits);
  opened.push(pools);
  return pools;
};
afterEach(async () => {
  await Promise.all(opened.splice(0).map((pools) => pools.close()));
});

const failure = (query: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(query).then(() => 'answered', outageOf);
/** Ends all other backends of this database; returns their number. */
const endOthers = async () =>
  (
    await database.sql`select pg_terminate_backend(pid, 5000)
      from pg_stat_activity where datname = current_database()
      and pid <> pg_backend_pid() and application_name = 'victim'`
  ).count;
const victim = { ...(database.target as object), connection: {} } as Exclude<Target, string>;

type Relay = { port: number; server: Server; cut(): void; hold(): void; connections: number };
const relays: Relay[] = [];
afterAll(() => {
  for (const relay of relays) {
    relay.cut();
    relay.server.close();
  }
});

/**
 * A proxy before Postgres. `judge` sees the client's messages and may return 'cut' to end the
 * connection there; `hold` stops all data, like an unplugged cable.
 */
async function relay(judge: (said: string) => 'cut' | undefined = () => undefined): Promise<Relay> {
  const { host, port } = database.target as { host: string; port: number };
  const sockets = new Set<Socket>();
  let held = false;
  const server = createServer((client) => {
    made.connections++;
    const postgres = reach(`${host}/.s.PGSQL.${port}`);
    for (const end of [client, postgres]) {
      sockets.add(end);
      end.on('error', () => {});
      end.on('close', () => {
        client.destroy();
        postgres.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (judge(bytes.toString('latin1')) === 'cut') client.destroy();
      else if (!held) postgres.write(bytes);
    });
    postgres.on('data', (bytes) => void (held || client.write(bytes)));
  });
  const made: Relay = {
    port: 0,
    server,
    connections: 0,
    cut() {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    hold() {
      held = true;
    },
  };
  relays.push(made);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  made.port = (server.address() as { port: number }).port;
  return made;
}
const through = ({ port }: Relay) =>
  `postgres://postgres@127.0.0.1:${port}/${(database.target as { database: string }).database}`;

describe('a connection that ends', () => {
  test('just after it was opened fails its query, and not the process', async () => {
    const fragile = await relay((said) => (said.includes('typarray') ? 'cut' : undefined));
    const folder = mkdtempSync(join(tmpdir(), 'marche54-connection-'));
    const program = join(folder, 'program.ts');
    writeFileSync(
      program,
      `import { connect, outageOf } from ${JSON.stringify(new URL('../../db/client.ts', import.meta.url).pathname)};
       const { sql } = connect(${JSON.stringify(through(fragile))});
       console.log(await sql\`select 1\`.then(() => 'answered', outageOf));
       await new Promise((resolve) => setTimeout(resolve, 50));
       console.log('lives');
       process.exit(0);`,
    );
    const child = spawn(process.versions.bun ? process.execPath : 'bun', [program], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes) => (said += bytes));
    const [code] = await once(child, 'close');
    rmSync(folder, { recursive: true });
    expect([said, code]).toEqual(['cut\nlives\n', 0]);
  });

  test('in the moment in which a query is handed to it is as good as new afterwards', async () => {
    let socket: Socket | undefined;
    const { host, port } = victim as { host: string; port: number };
    const { sql } = open(
      {
        ...victim,
        max: 1,
        socket: () =>
          new Promise<Socket>((resolve) => {
            const own = new Socket().connect(`${host}/.s.PGSQL.${port}`, () => resolve(own));
            socket = own;
          }),
      } as Target,
      { max: 1 },
    );
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
    for (let time = 0; time < 3; time++) {
      const read = failure(sql`select 2 as two`);
      // The connection has the query now, and sends its bytes in the next turn of the event loop.
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
      socket?.emit('close', false);
      expect(await read).toBe('cut');
      expect(await sql`select 3 as three`).toEqual([{ three: 3 }]);
    }
  });

  test('before it was ready fails its query, however often, and asks no more often than it should', async () => {
    const closed = await relay(() => 'cut');
    const { sql } = open(through(closed), { max: 1 });
    expect(await failure(sql`select 1`)).toBe('cut');
    expect(await failure(sql`select 1`)).toBe('cut');
    expect(closed.connections).toBe(2);
  });

  test('under plain reads leaves none of them without an answer', async () => {
    const { sql, db } = open({ ...victim, connection: { application_name: 'victim' } }, { max: 4 });
    let stopped = false;
    const counts = { answered: 0, failed: 0 };
    const reader = async (n: number) => {
      while (!stopped) {
        const outcome = await failure(n % 2 ? sql`select ${n}::int` : db.execute('select 1'));
        counts[outcome === 'answered' ? 'answered' : 'failed']++;
        expect(['answered', 'cut', 'refused']).toContain(outcome);
      }
    };
    const readers = Array.from({ length: 6 }, (_, n) => reader(n));
    let ended = 0;
    while (ended < 30) ended += await endOthers();
    stopped = true;
    await Promise.all(readers);
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
    expect(counts.answered).toBeGreaterThan(0);
  });

  test('does not leave rows of what failed in the next answer', async () => {
    const { sql } = open(victim, { max: 1 });
    await expect(sql`select 10 / (5 - i) from generate_series(1, 10) i`).rejects.toMatchObject({
      code: '22012',
    });
    expect([...(await sql`select 1 as one`)]).toEqual([{ one: 1 }]);
  });

  test('without a word is given up when it has been silent for longer than any statement may take', async () => {
    const cable = await relay();
    const target = new URL(through(cable));
    target.searchParams.set('silence_timeout', '0.2');
    const { sql } = open(target.href, { max: 1 });
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
    cable.hold();
    expect(await failure(sql`select 2 as two`)).toBe('cut');
  });
});

describe('a reserved connection', () => {
  test('that ended refuses its queries, and giving it back harms nobody', async () => {
    const { sql } = open({ ...victim, connection: { application_name: 'victim' } }, { max: 4 });
    const own = await sql.reserve();
    await own`select 1`;
    const waiting = [failure(own`select pg_sleep(60)`), failure(own`select 1`)];
    while ((await endOthers()) === 0);
    expect(await Promise.all(waiting)).toEqual(['cut', 'cut']);
    expect(await failure(own`select 1`)).toBe('cut');
    own.release();
    expect(await Promise.all([1, 2, 3].map((n) => sql`select ${n}::int as n`))).toHaveLength(3);
  });

  test('that could not be had is refused, and its place is not lost', async () => {
    let broken = true;
    const door = await relay(() => (broken ? 'cut' : undefined));
    const { sql } = open(through(door), { max: 1 });
    expect(await failure(sql.reserve())).toBe('cut');
    broken = false;
    const own = await sql.reserve();
    expect(await own`select 1 as one`).toEqual([{ one: 1 }]);
    own.release();
    expect(await sql`select 2 as two`).toEqual([{ two: 2 }]);
  });
});

describe('LISTEN', () => {
  test('comes back after its backend ended, again and again, says so, and can still be ended', async () => {
    const { sql } = open({ ...victim, connection: { application_name: 'victim' } });
    let resumed = 0;
    const heard: string[] = [];
    const live = await listenForNews(sql, createLog({ level: 'error', write: () => {} }));
    live.subscribe((news) => heard.push(news.id));
    live.onResume(() => resumed++);
    for (let time = 1; time <= 3; time++) {
      await endOthers();
      await expect.poll(() => resumed).toBe(time);
      await database.sql`select pg_notify('market', ${`slot:${time}`})`;
      await expect.poll(() => heard.at(-1)).toBe(String(time));
    }
    await live.close();
    await database.sql`select pg_notify('market', 'slot:54')`;
    await sql`select 1`;
    expect(heard).toEqual(['1', '2', '3']);
  });

  test('comes back after a time in which nothing could be reached', async () => {
    let broken = false;
    const door = await relay(() => (broken ? 'cut' : undefined));
    const { sql } = open(through(door));
    let stood = 0;
    await sql.listen(
      'market',
      () => {},
      () => void stood++,
    );
    broken = true;
    door.cut();
    const before = door.connections;
    await expect.poll(() => door.connections).toBeGreaterThan(before + 2);
    broken = false;
    await expect.poll(() => stood, { timeout: 5000 }).toBe(2);
  });
});
