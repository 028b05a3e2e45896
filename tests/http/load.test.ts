import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { publishPost } from '../../api/connect/publish.ts';
import { newPost } from '../../api/connect/schema.ts';
import { openMarket } from '../../api/market.ts';
import { cacheUntilHeader } from '../../api/pages/keptPage.ts';
import { schema } from '../../db/client.ts';
import { actors, signUpMember } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { grant } from '../support/credits.ts';
import { live } from '../support/products.ts';

/** Limits how much one address can slow the others (decision 059), with production numbers. */
const market = await testApp({
  env: { LOAD_LIMITS: '1' },
  pages: async () => new Response('<p>page</p>', { headers: { 'content-type': 'text/html' } }),
});
const { seller, admin, visitor } = await actors(market);
beforeEach(() => market.reset());

const { engagementEvents } = schema;
const post = (event: object, options: object = {}) =>
  market.call<{ counted: boolean }>('/api/engagement', { json: event, ...options });
const counted = async (events: Promise<{ body: { counted: boolean } }>[]) =>
  (await Promise.all(events)).filter(({ body }) => body.counted).length;
const many = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

describe('engagement from one address', () => {
  test('of ever new visitors adds thirty views to a product, however many it sends', async () => {
    const { id, slotId } = await live(market, seller, admin);
    expect(await counted(many(120, () => post({ slotId, productId: id, type: 'view' })))).toBe(30);
    expect(await market.db.select().from(engagementEvents)).toHaveLength(30);
  });

  test('gives no cookie once its new visitors are not counted any more', async () => {
    const { id, slotId } = await live(market, seller, admin);
    const asked = await Promise.all(many(400, () => post({ slotId, productId: id, type: 'view' })));
    expect(asked.filter(({ headers }) => headers.has('set-cookie')).length).toBe(300);
  });

  test('leaves the other addresses and the visitors who are known already alone', async () => {
    const place = await live(market, seller, admin);
    const other = await live(market, seller, admin);
    const event = ({ id, slotId }: typeof place) => ({ slotId, productId: id, type: 'view' });
    const known = market.visitor();
    expect((await post(event(place), { as: known })).body).toEqual({ counted: true });
    await Promise.all(many(400, () => post(event(place))));
    expect((await post(event(other), { as: known })).body).toEqual({ counted: true });
    expect((await post(event(place), { address: '10.0.0.2' })).body).toEqual({ counted: true });
  });

  test('beyond its pace is answered quietly, and costs no look at the database', async () => {
    const answers = await Promise.all(
      many(700, () => post({ slotId: 1, productId: randomUUID(), type: 'view' }, { as: visitor })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    const refused = answers.filter(({ headers }) => headers.has('retry-after'));
    expect(refused).toHaveLength(100);
    expect(refused[0]?.body).toEqual({ counted: false });
  });
});

describe('looks at a post of Connect from one address', () => {
  test('of ever new visitors count thirty times, and write no more rows than that', async () => {
    const owner = await signUpMember(market, { name: 'Owner' });
    await grant(market, owner, 2);
    const given = newPost.parse({
      title: 'A driver',
      description: 'With a van.',
      category: 'transportation',
      contactWhatsapp: '+237699001234',
    });
    const { reference } = await publishPost(await market.ctx(owner), given, randomUUID());
    const look = (options: object = {}) =>
      market.call<{ counted: boolean }>(`/api/connect/posts/${reference}/views`, {
        method: 'POST',
        ...options,
      });
    expect(await counted(many(120, () => look()))).toBe(30);
    expect(await market.db.select().from(schema.connectViews)).toHaveLength(30);
    expect((await look({ address: '10.0.0.2' })).body).toEqual({ counted: true });
  });
});

describe('reads of one address', () => {
  test('take turns with those of another: a burst delays its neighbours by one of its own', async () => {
    const done: string[] = [];
    const ask = async (address: string) => {
      const { status } = await market.call('/api/slots', { address });
      done.push(address);
      return status;
    };
    const burst = many(60, () => ask('10.0.0.8'));
    const good = ask('10.0.0.9');
    expect(new Set(await Promise.all([...burst, good]))).toEqual(new Set([200]));
    expect(done.indexOf('10.0.0.9')).toBeLessThan(10);
  });

  test('that wait for a lock hold up no others for long', async () => {
    let release = () => {};
    const locked = new Promise<void>((resolve) => {
      release = resolve;
    });
    let taken = () => {};
    const ready = new Promise<void>((resolve) => {
      taken = resolve;
    });
    const lock = market.sql.begin(async (tx) => {
      await tx`lock table connect_posts`;
      taken();
      await locked;
    });
    await ready;
    const held = many(8, (n) => market.call('/api/connect/posts', { address: `10.0.1.${n}` }));
    expect((await market.call('/api/slots', { address: '10.0.0.9' })).status).toBe(200);
    release();
    await lock;
    expect(new Set((await Promise.all(held)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('that wait hold up no write of that address', async () => {
    let reading = 200;
    const burst = many(200, () =>
      market.call('/api/slots', { address: '10.0.0.10' }).then(() => void reading--),
    );
    const { status } = await market.call('/api/engagement', {
      address: '10.0.0.10',
      json: { slotId: 1, productId: randomUUID(), type: 'view' },
    });
    expect(status).toBe(202);
    expect(reading).toBeGreaterThan(150);
    await Promise.all(burst);
  });
});

describe('requests of one address', () => {
  test('beyond their pace are refused in the reader’s language, with the time to wait, and come back by themselves', async () => {
    const ask = () => market.call('/api/auth/me', { language: 'fr' });
    const answers = await Promise.all(many(1001, ask));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(1);
    expect(refused[0]?.body.error).toMatchObject({
      code: 'tooManyRequests',
      message: expect.stringContaining('Trop de demandes'),
    });
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    expect(refused[0]?.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await market.call('/api/auth/me', { address: '10.0.0.2' })).status).toBe(200);
    market.clock.advance({ seconds: 1 });
    expect((await ask()).status).toBe(200);
  });

  test('of any method count, also of one that is none', async () => {
    await Promise.all(many(1000, () => market.request('/api/slots', { method: 'OPTIONS' })));
    expect((await market.request('/api/slots', { method: 'PROPFIND' })).status).toBe(429);
    expect((await market.request('/healthz')).status).toBe(200);
  });

  test('for pages that must be written anew are refused as a page', async () => {
    const answers = await Promise.all(
      many(121, (n) =>
        market.request(`/made-up-${n}`, { language: 'en', headers: { accept: 'text/html' } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(120);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get('content-type')).toContain('text/html');
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(refused?.headers.get('cache-control')).toBe('no-store');
    expect(await refused?.text()).toContain('Too many requests');
  });

  test('from one home’s IPv6 network are those of one address', async () => {
    await Promise.all(
      many(1000, (n) =>
        market.request('/api/auth/me', { address: `2001:db8:1:2::${n.toString(16)}` }),
      ),
    );
    expect((await market.request('/api/auth/me', { address: '2001:db8:1:2:ffff::1' })).status).toBe(
      429,
    );
    expect((await market.request('/api/auth/me', { address: '2001:db8:1:3::1' })).status).toBe(200);
  });

  test('that are too many to try again in a moment say when', async () => {
    for (let n = 0; n < 200; n++)
      await market.call('/api/errors', { json: { kind: 'error', message: 'x', page: '/' } });
    const { status, headers } = await market.call('/api/errors', {
      json: { kind: 'error', message: 'x', page: '/' },
    });
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('open lines', async () => {
  const running = await openMarket({
    db: market.db,
    sql: market.sql,
    services: market.services,
    now: market.clock.now,
  });
  afterAll(() => running.close());
  const open = (address: string) =>
    running.app.fetch(new Request('http://market.test/api/live'), { address });

  test('of one address are a thousand at most; one that ends makes room, and others are served', async () => {
    const lines: Response[] = [];
    for (let n = 0; n < 1000; n++) {
      lines.push(await open('10.0.0.9'));
      if (n % 40 === 39) market.clock.advance({ seconds: 1 });
    }
    expect(new Set(lines.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await open('10.0.0.9');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect((await open('10.0.0.10')).status).toBe(200);
    await lines[0]?.body?.cancel();
    expect((await open('10.0.0.9')).status).toBe(200);
  });
});

describe('stored pages', async () => {
  const running = await openMarket({
    db: market.db,
    sql: market.sql,
    services: market.services,
    now: market.clock.now,
    pages: async ({ path }) =>
      path === '/'
        ? new Response('<p>home</p>', {
            headers: { 'content-type': 'text/html', [cacheUntilHeader]: 'change' },
          })
        : new Response('<p>none</p>', { status: 404, headers: { 'content-type': 'text/html' } }),
  });
  afterAll(() => running.close());
  const ask = async (path: string, address: string) =>
    (await running.pageCache.respond(
      new Request(`http://market.test${path}`),
      () => address,
    )) as Response;

  test('are not withheld from anybody by one who asks for made-up ones, and those cost a bounded number of renderings', async () => {
    expect((await ask('/', '10.0.0.1')).status).toBe(200);
    const statuses = [];
    for (let n = 0; n < 200; n++)
      statuses.push((await ask(`/shop/7/made-up-${n}`, '10.0.0.66')).status);
    expect([
      statuses.filter((status) => status === 404).length,
      statuses.filter((status) => status === 429).length,
    ]).toEqual([120, 80]);
    expect((await ask('/', '10.0.0.66')).status).toBe(200);
    expect((await ask('/shop/7/another', '10.0.0.1')).status).toBe(404);
    running.pageCache.drop();
    expect((await ask('/', '10.0.0.1')).status).toBe(200);
    const refused = await ask('/shop/7/one-more', '10.0.0.66');
    expect([
      refused.status,
      refused.headers.get('content-type'),
      refused.headers.get('retry-after'),
    ]).toEqual([429, 'text/html; charset=utf-8', '1']);
  });

  test('say nothing of how long they are kept', async () => {
    expect((await ask('/', '10.0.0.2')).headers.has(cacheUntilHeader)).toBe(false);
    expect(
      (
        await running.app.fetch(new Request('http://market.test/'), { address: '10.0.0.2' })
      ).headers.has(cacheUntilHeader),
    ).toBe(false);
  });
});
