import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { connect, type Database } from '../../db/client.ts';
import { keepRunning } from '../../db/embedded/keep.ts';
import { exists, runOf } from '../../db/embedded/process.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../db/embedded.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const base = realpathSync(mkdtempSync('/tmp/embedded-keep-'));
chmodSync(base, 0o755);
const folder = join(base, 'pg');
const start = () =>
  startEmbeddedPostgres({ folder, outside: join(base, 'outside'), settings: { fsync: 'off' } });
const pid = () => Number.parseInt(readFileSync(join(folder, 'postmaster.pid'), 'utf8'), 10);
const pools: Database[] = [];
let kept: { stop(): Promise<void> } | undefined;

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
  await kept?.stop();
  kept = undefined;
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

function keep(server: EmbeddedPostgres, options: Partial<Parameters<typeof keepRunning>[1]> = {}) {
  const said: string[] = [];
  const givenUp: unknown[] = [];
  const made = keepRunning(server, {
    start,
    say: (line) => said.push(line),
    giveUp: (error) => givenUp.push(error),
    pauseMs: 1,
    ...options,
  });
  kept = made;
  return { said, givenUp, stop: made.stop };
}

/** Kills only the postmaster, as the OOM killer does, and returns when it is gone. */
async function killed(): Promise<number> {
  const victim = pid();
  process.kill(victim, 'SIGKILL');
  await vi.waitUntil(() => runOf(victim) === undefined, { interval: 2, timeout: 10_000 });
  return victim;
}

describe('an embedded server that was killed', () => {
  test('is started again on its socket: pools answer, LISTEN is back, nothing saved is lost', async () => {
    const server = await start();
    const { said, givenUp } = keep(server);
    const pool = connect(server.connect());
    pools.push(pool);
    await pool.sql`create table if not exists kept as select 'saved' as text`;
    let stood = 0;
    const heard: string[] = [];
    await pool.sql.listen(
      'market',
      (payload) => heard.push(payload),
      () => void stood++,
    );
    const victim = await killed();

    await vi.waitUntil(() => stood === 2, { interval: 5, timeout: 30_000 });
    expect(pid()).not.toBe(victim);
    expect(await pool.sql`select text from kept`).toEqual([{ text: 'saved' }]);
    await pool.sql`select pg_notify('market', 'slot:7')`;
    await vi.waitUntil(() => heard.length === 1, { interval: 5 });
    // A pool may reconnect before the keeper has noticed.
    await vi.waitUntil(() => said.length === 2, { interval: 5, timeout: 30_000 });
    expect(said).toEqual([
      'The database process ended unexpectedly. It is started again.',
      'The database runs again.',
    ]);
    expect(givenUp).toEqual([]);
  });

  test('is noticed, too, when it had been taken over from a process that is gone', async () => {
    const first = await start();
    // A second keeper finds the server running and knows only its pid.
    const { said } = keep({ ...(await start()), stop: first.stop });
    const victim = await killed();
    await vi.waitUntil(() => said.length === 2, { interval: 5, timeout: 30_000 });
    expect(pid()).not.toBe(victim);
  });

  test('stays stopped when it was asked to stop, also in the middle of coming back', async () => {
    const { said, stop } = keep(await start());
    await killed();
    await vi.waitUntil(() => said.length === 1, { interval: 1 });
    await stop();
    expect(existsSync(join(folder, 'postmaster.pid'))).toBe(false);

    const quiet = keep(await start());
    const own = pid();
    await quiet.stop();
    expect(runOf(own)).toBe(undefined);
    expect(quiet).toMatchObject({ said: [], givenUp: [] });
  });

  test('is given up, once, after several tries that failed', async () => {
    const { said, givenUp } = keep(await start(), {
      tries: 3,
      start: () => Promise.reject(new Error('the disk is full')),
    });
    await killed();
    await vi.waitUntil(() => givenUp.length > 0, { interval: 2 });
    expect(givenUp).toEqual([new Error('the disk is full')]);
    expect(said.slice(1)).toEqual(
      [1, 2, 3].map(
        (n) => `The database could not be started again (try ${n} of 3): the disk is full`,
      ),
    );
  });

  test('is not given up while its disk has no room, and comes back when there is', async () => {
    const server = await start();
    let room = false;
    const full = async () => (room ? start() : Promise.reject(new Error('the disk is full')));
    const { said, givenUp } = keep(server, { tries: 3, start: full, hasRoom: () => room });
    await killed();
    await vi.waitUntil(() => said.length > 6, { interval: 2, timeout: 30_000 });
    room = true;
    await vi.waitUntil(() => said.at(-1) === 'The database runs again.', {
      interval: 2,
      timeout: 30_000,
    });
    expect(givenUp).toEqual([]);
  });

  test('is given up when it ends again and again, and not when it had lived in between', async () => {
    const dying = await start();
    const endsAtOnce: EmbeddedPostgres = { ...dying, gone: async () => {} };
    const { givenUp, said } = keep(endsAtOnce, { tries: 3, start: async () => endsAtOnce });
    await vi.waitUntil(() => givenUp.length > 0, { interval: 2 });
    expect(String(givenUp[0])).toContain('ends again and again');
    expect(said.filter((line) => line === 'The database runs again.')).toHaveLength(3);
    await kept?.stop();

    let lives = 0;
    const steady: EmbeddedPostgres = {
      ...dying,
      gone: () => (++lives < 8 ? Promise.resolve() : new Promise(() => {})),
    };
    const patient = keep(steady, { tries: 1, steadyMs: -1, start: async () => steady });
    await vi.waitUntil(() => lives === 8, { interval: 2 });
    expect(patient.givenUp).toEqual([]);
  });
});

describe.runIf(existsSync('/proc/self/stat'))(
  'a server that was killed and whose parent does not ask how it ended',
  () => {
    test('does not stand in the way of the next start', async () => {
      const program = join(base, 'parent.ts');
      writeFileSync(
        program,
        `import { startEmbeddedPostgres } from ${JSON.stringify(new URL('../../db/embedded.ts', import.meta.url).pathname)};
       await startEmbeddedPostgres({ folder: ${JSON.stringify(folder)}, outside: ${JSON.stringify(join(base, 'outside'))}, settings: { fsync: 'off' } });
       console.log('started');
       setInterval(() => {}, 1000);`,
      );
      const parent = spawn(process.versions.bun ? process.execPath : 'bun', [program], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      try {
        await once(parent.stdout, 'data');
        // A stopped parent does not reap its children.
        parent.kill('SIGSTOP');
        const victim = await killed();
        expect(exists(victim)).toBe(true);
        const server = await start();
        const pool = connect(server.connect());
        pools.push(pool);
        expect(await pool.sql`select 1 as one`).toEqual([{ one: 1 }]);
        expect(exists(victim)).toBe(true);
        await pools.pop()?.close();
        await server.stop();
      } finally {
        parent.kill('SIGKILL');
        await once(parent, 'exit');
      }
    });
  },
);
