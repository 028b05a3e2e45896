import { createServer, type Server, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { withDeadline } from '../../api/http/deadline.ts';
import { PageCache } from '../../api/pages/pageCache.ts';
import { connect, outageOf } from '../../db/client.ts';
import { signUpSeller } from '../support/actors.ts';
import { type Answer, testApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';

/**
 * The database decides when a request ends, not the clock: a lock makes it hang, and a deadline of
 * 0.1 s makes it late.
 */
const database = await freshDatabase();
const market = await testApp({
  database,
  env: { REQUEST_DEADLINE_SECONDS: '0.1' },
  pages: async ({ api }) => {
    const answer = await api('http://in.process/api/slots');
    if (!answer.ok) throw new Error('the page needs the slots');
    return new Response('<p>slots</p>', { headers: { 'content-type': 'text/html' } });
  },
});
const patient = await testApp({ database });

/** Locks a table while `work` runs. */
async function whileHeld<T>(table: string, work: () => Promise<T>): Promise<T> {
  const holder = await database.sql.reserve();
  await holder.unsafe(`begin; lock table ${table} in access exclusive mode`);
  try {
    return await work();
  } finally {
    await holder`rollback`;
    holder.release();
  }
}

const html = { accept: 'text/html,application/xhtml+xml' };

describe('a request that gets no answer in time', () => {
  test('is answered 503 in its language, with when to come back', async () => {
    const answer = await whileHeld('slots', () => market.call('/api/slots', { language: 'fr' }));
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.body.error).toMatchObject({
      code: 'unavailable',
      requestId: answer.headers.get('x-request-id'),
    });
    expect(answer.body.error.message).toContain('Rien n’a été modifié');
    expect(market.logged.at(-1)).toMatchObject({
      level: 'warn',
      message: 'A request passed its deadline',
      path: '/api/slots',
    });
    expect((await patient.call('/api/slots')).status).toBe(200);
  });

  test('says of a write that it may have been kept', async () => {
    const person = await signUpSeller(patient);
    const held = await whileHeld('session', () =>
      market.call('/api/products', { json: {}, as: person }),
    );
    expect(held.status).toBe(503);
    expect(held.body.error.code).toBe('unconfirmed');
  });

  test('is a page with a sentence and a way to try again where a person asked for one', async () => {
    const answer = await whileHeld('slots', () => market.request('/fr/', { headers: html }));
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    const text = await answer.text();
    expect(text).toContain('<html lang="fr">');
    expect(text).toContain('<a href="/fr/">Réessayer</a>');
  });

  test('is one that waits for a free connection, too', async () => {
    const pool = database.another({ max: 1 });
    const crowded = await testApp({
      database: { ...database, db: pool.db, sql: pool.sql },
      env: { REQUEST_DEADLINE_SECONDS: '0.1' },
    });
    const end = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const held = pool.db.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      begun.resolve();
      await end.promise;
    });
    await begun.promise;
    expect((await crowded.call('/api/slots')).status).toBe(503);
    end.resolve();
    await held;
    expect(await pool.sql`select 1 as one`).toEqual([{ one: 1 }]);
  });

  test('is given up quietly: what comes afterwards is thrown away', async () => {
    const later = Promise.withResolvers<Response>();
    let cancelled = false;
    const stream = new ReadableStream({
      cancel() {
        cancelled = true;
      },
    });
    const late = () => new Response('late', { status: 503 });
    const answer = withDeadline(() => later.promise, late, 0.01);
    expect((await answer(new Request('http://market.test/'))).status).toBe(503);
    later.resolve(new Response(stream));
    await later.promise;
    await Promise.resolve();
    expect(cancelled).toBe(true);
  });

  test.each([
    ['POST', '/api/uploads'],
    ['POST', '/api/admin/cleanup'],
  ])('is not one of those with a pace of their own: %s %s', async (method, path) => {
    const slow = Promise.withResolvers<Response>();
    const answer = withDeadline(
      () => slow.promise,
      () => new Response(null, { status: 503 }),
      0.001,
    );
    const answered = answer(new Request(`http://market.test${path}`, { method }));
    const other = await answer(new Request('http://market.test/api/slots'));
    expect(other.status).toBe(503);
    slow.resolve(new Response('kept'));
    expect((await answered).status).toBe(200);
  });

  test('is the answer for everybody who waits for the same page', async () => {
    const gate = Promise.withResolvers<void>();
    let renders = 0;
    const pageCache = new PageCache({
      now: market.clock.now,
      async render() {
        renders++;
        await gate.promise;
        return new Response('away', { status: 503 });
      },
    });
    const asked = Array.from(
      { length: 5 },
      () => pageCache.respond(new Request('http://market.test/')) as Promise<Response>,
    );
    gate.resolve();
    const answers = await Promise.all(asked);
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(
      Array(5).fill('away'),
    );
    expect(renders).toBe(1);
  });
});

describe('while the database is away', () => {
  const nowhere = connect({
    host: '/nowhere/at/all,',
    port: 5432,
    user: 'postgres',
    database: 'x',
  });
  afterAll(() => nowhere.close());

  const without = () =>
    testApp({
      database: { ...database, db: nowhere.db, sql: nowhere.sql },
      pages: async ({ api }) => {
        const answer = await api('http://in.process/api/slots');
        return new Response('<p>the site’s own error screen</p>', {
          status: answer.ok ? 200 : 500,
          headers: { 'content-type': 'text/html' },
        });
      },
    });

  test('a read and a write are refused at once, and both know that nothing was changed', async () => {
    const app = await without();
    for (const options of [{}, { json: { type: 'view' } }]) {
      const answer = await app.call(options.json ? '/api/track' : '/api/slots', options);
      if (answer.status === 404) continue;
      expect([answer.status, answer.body.error.code, answer.headers.get('retry-after')]).toEqual([
        503,
        'unavailable',
        '2',
      ]);
    }
    // The operator sees the cause.
    expect(JSON.stringify(app.logged)).toContain('ENOENT');
  });

  test('a page is 503, for a visitor and for somebody with a session', async () => {
    const app = await without();
    const person = await signUpSeller(patient);
    const page = await app.request('/', { headers: html });
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await page.text()).toContain('own error screen');
    const own = await app.request('/seller/dashboard', { headers: html, as: person });
    expect([own.status, own.headers.get('retry-after')]).toEqual([503, '2']);
    expect(own.headers.get('content-type')).toContain('text/html');
  });

  test('the process answers that it lives, and that it is not ready', async () => {
    const app = await without();
    expect((await app.call('/healthz')).status).toBe(200);
    const ready: Answer<unknown> = await app.call('/readyz');
    expect(ready).toMatchObject({ status: 503, body: { ready: false, database: false } });
  });
});

describe('the limits of a pool', () => {
  test('a statement ends in time, and its connection is good for the next', async () => {
    const { sql: raw, close } = connect(database.target, { max: 1, statementSeconds: 0.3 });
    const error = await raw`select pg_sleep(60)`.catch((reason: unknown) => reason);
    expect(outageOf(error)).toBe('refused');
    expect(await raw`select 1 as one`).toEqual([{ one: 1 }]);
    await close();
  });

  test('a lock that is not given is no reason to wait for ever', async () => {
    const { sql: raw, close } = connect(database.target, { max: 1, statementSeconds: 0.3 });
    expect(
      outageOf(
        await whileHeld('slots', () =>
          raw`select count(*) from slots`.catch((reason: unknown) => reason),
        ),
      ),
    ).toBe('refused');
    await close();
  });

  test('a transaction that its process forgot is ended', async () => {
    const { db, close } = connect(database.target, { max: 1, idleTransactionSeconds: 0.05 });
    const error = await db
      .transaction(async (tx) => {
        await tx.execute(sql`select 1`);
        await new Promise(() => {});
      })
      .catch((reason: unknown) => reason);
    expect(outageOf(error)).toBe('cut');
    await close();
  });
});

describe('a server that accepts and says nothing more', () => {
  const relays: { server: Server; sockets: Set<Socket> }[] = [];
  afterEach(() => {
    for (const { server, sockets } of relays.splice(0)) {
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  });

  /** A port that accepts connections and never answers. */
  async function silentPort(): Promise<number> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => void sockets.add(socket.on('error', () => {})));
    relays.push({ server, sockets });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as { port: number }).port;
  }

  test('is given up after the time to connect', async () => {
    const { sql: raw, close } = connect(`postgres://nobody@127.0.0.1:${await silentPort()}/x`, {
      connectSeconds: 0.05,
    });
    expect(outageOf(await raw`select 1`.catch((reason: unknown) => reason))).toBe('refused');
    await close();
  });
});
