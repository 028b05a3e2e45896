import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { cacheUntilHeader } from '../../api/pages/keptPage.ts';
import { PageCache } from '../../api/pages/pageCache.ts';
import { slotCount } from '../../api/shared/slots.ts';
import { standingClock } from '../support/clock.ts';

const clock = standingClock();
let content = 'first';
let until: string | undefined = 'change';
let status = 200;
let asked: string[] = [];
let gate: Promise<void> | undefined;
let pageCache: PageCache;

beforeEach(() => {
  content = 'first';
  until = 'change';
  status = 200;
  asked = [];
  gate = undefined;
  pageCache = new PageCache({
    now: clock.now,
    async render(request) {
      const { pathname, search } = new URL(request.url);
      asked.push(`${pathname}${search} ${request.headers.get('cookie')}`);
      const body = content;
      await gate;
      return new Response(`<p>${body} ${'market '.repeat(60)}</p>`, {
        status,
        headers: {
          'content-type': 'text/html',
          'content-security-policy': "default-src 'self'",
          'x-request-id': 'one of many',
          ...(until ? { [cacheUntilHeader]: until } : {}),
        },
      });
    },
  });
});

const get = async (path = '/', headers: Record<string, string> = {}, method = 'GET') =>
  (await pageCache.respond(
    new Request(`http://market.test${path}`, { method, headers }),
  )) as Response;

describe('a public page in memory', () => {
  test('is rendered once and answered with its own headers', async () => {
    await get();
    const second = await get();
    expect(pageCache.renders).toBe(1);
    expect(await second.text()).toContain('first');
    expect(second.headers.get('content-security-policy')).toBe("default-src 'self'");
    expect(second.headers.get('vary')).toBe('accept-encoding, accept-language, cookie');
    // Headers of one request, or for the server only, are not cached.
    expect(second.headers.has('x-request-id')).toBe(false);
    expect(second.headers.has(cacheUntilHeader)).toBe(false);
  });

  test.each([
    ['br', (bytes: Uint8Array) => brotliDecompressSync(bytes)],
    ['gzip', (bytes: Uint8Array) => gunzipSync(bytes)],
  ])('is sent as %s where the browser takes it', async (encoding, unpack) => {
    await get();
    const response = await get('/', { 'accept-encoding': encoding });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(
      new TextDecoder().decode(unpack(new Uint8Array(await response.arrayBuffer()))),
    ).toContain('first');
  });

  test('is kept once more for those who are signed in, whoever they are, and stalls are not', async () => {
    const as = (mark: string) => ({ cookie: `theme=dark; signed-in=${mark}` });
    await get('/', as('0123456789'));
    await get('/', as('abcdef0123'));
    await get('/', { cookie: 'theme=dark' });
    await get('/', { cookie: 'theme=dark; signed-in=' });
    // It has no personal data.
    expect(asked).toEqual(['/ language=en; theme=dark; signed-in=1', '/ language=en; theme=dark']);
    asked = [];
    await get('/stalls?ids=3', as('0123456789'));
    await get('/stalls?ids=3');
    expect(asked).toEqual([
      '/stalls?ids=3 language=en; theme=dark',
      '/stalls?ids=3 language=en; theme=system',
    ]);
  });

  test('answers 304 to who has it', async () => {
    const { headers } = await get();
    const again = await get('/', { 'if-none-match': headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
  });

  test('answers HEAD without a body', async () => {
    expect(await (await get('/', {}, 'HEAD')).text()).toBe('');
  });

  test('is kept once a language and theme, chosen by address, then cookie, then browser, then English', async () => {
    await get('/');
    await get('/', { 'accept-language': 'fr-CM,fr;q=0.9' });
    await get('/', { 'accept-language': 'fr', cookie: 'language=en' });
    await get('/fr', { cookie: 'language=en; theme=dark' });
    await get('/', { 'accept-language': 'de' });
    expect(asked).toEqual([
      '/ language=en; theme=system',
      '/ language=fr; theme=system',
      '/fr language=fr; theme=dark',
    ]);
  });

  test('never sees who is looking', async () => {
    await get('/', { cookie: 'marche54.session_token=secret; visitor=me' });
    expect(asked).toEqual(['/ language=en; theme=system']);
  });

  test('is thrown away on news', async () => {
    await get();
    content = 'second';
    pageCache.drop();
    expect(await (await get()).text()).toContain('second');
  });

  test('is shown once more while it is rendered again when news may have been missed', async () => {
    await get();
    await get('/stalls?ids=1,2');
    content = 'second';
    pageCache.doubt();
    expect(await (await get()).text()).toContain('first');
    // Pages that reload stalls after a gap need fresh ones.
    expect(await (await get('/stalls?ids=1,2')).text()).toContain('second');
    await expect.poll(async () => (await get()).text()).toContain('second');
    expect(pageCache.renders).toBe(4);
  });

  test('is not shown for long after news may have been missed, however often that happens', async () => {
    await get();
    content = 'second';
    pageCache.doubt();
    clock.advance({ seconds: 1.5 });
    pageCache.doubt();
    clock.advance({ seconds: 1 });
    expect(await (await get()).text()).toContain('second');
  });

  test('that was being rendered when news came is answered but not kept', async () => {
    let release = () => {};
    gate = new Promise((resolve) => {
      release = resolve;
    });
    const early = get();
    pageCache.drop();
    gate = undefined;
    release();
    expect(await (await early).text()).toContain('first');
    content = 'second';
    expect(await (await get()).text()).toContain('second');
  });

  test('is rendered once for a crowd that comes at one moment', async () => {
    let release = () => {};
    gate = new Promise((resolve) => {
      release = resolve;
    });
    const crowd = Array.from({ length: 50 }, () => get());
    release();
    for (const response of await Promise.all(crowd))
      expect(await response.text()).toContain('first');
    expect(pageCache.renders).toBe(1);
  });

  test('is rendered again when the next listing on it ends', async () => {
    until = new Date(clock.now().getTime() + 60_000).toISOString();
    await get();
    clock.advance({ seconds: 59 });
    await get();
    expect(pageCache.renders).toBe(1);
    clock.advance({ seconds: 1 });
    await get();
    expect(pageCache.renders).toBe(2);
  });

  test('is not kept without its header, nor when it is no page', async () => {
    until = undefined;
    await get();
    await get();
    until = 'change';
    status = 404;
    await get();
    await get();
    expect(pageCache.renders).toBe(4);
  });

  test.each([
    '/api/slots',
    '/seller/dashboard',
    '/?contact=failed',
    '/shop/slot/1?report=sent',
    '/admin',
    '/_astro/x.js',
    '/stalls',
    '/stalls?ids=1;drop',
  ])('leaves %s to the app', async (path) => {
    expect(pageCache.respond(new Request(`http://market.test${path}`))).toBeUndefined();
  });

  test.each([
    '/',
    '/en',
    '/fr/',
    '/how-it-works',
    '/fr/shop/7/phone-1a2b3c4d',
    '/shop/slot/54',
    '/en/stalls?ids=3,54',
  ])('takes %s', async (path) => {
    expect((await get(path)).status).toBe(200);
  });

  test('leaves writing to the app', () => {
    expect(
      pageCache.respond(new Request('http://market.test/', { method: 'POST' })),
    ).toBeUndefined();
  });
});

describe('addresses that somebody makes up', () => {
  const kept = async (path: string) => {
    const before = pageCache.renders;
    await get(path);
    return pageCache.renders === before;
  };

  test('of stalls neither block nor push out the real pages', async () => {
    for (const path of ['/', '/fr', '/shop/slot/7', '/stalls?ids=7']) await get(path);
    for (let a = 1; a <= 20; a++)
      for (let b = a + 1; b <= slotCount; b++) await get(`/stalls?ids=${a},${b}`);
    for (const path of ['/', '/fr', '/shop/slot/7']) expect(await kept(path), path).toBe(true);
    await get('/stalls?ids=3');
    expect(await kept('/stalls?ids=3')).toBe(true);
    await get('/how-it-works');
    expect(await kept('/how-it-works')).toBe(true);
  });

  test('of products do not push out the market, and what people look at now is kept', async () => {
    for (const path of ['/', '/how-it-works']) await get(path);
    for (let n = 0; n < 1300; n++) {
      await get(`/shop/7/made-up-${n}`);
      if (n % 100 === 0) await get('/fr/shop/7/real-1a2b3c4d');
    }
    for (const path of ['/', '/how-it-works', '/fr/shop/7/real-1a2b3c4d'])
      expect(await kept(path), path).toBe(true);
    await get('/shop/8/another-1a2b3c4d');
    expect(await kept('/shop/8/another-1a2b3c4d')).toBe(true);
  });

  test.each([
    '/stalls?ids=7,3',
    '/stalls?ids=3,3',
    '/stalls?ids=03',
    '/stalls?ids=0',
    '/stalls?ids=55',
    '/stalls?ids=3,7&x=1',
    '/enstalls?ids=3',
    '/enhow-it-works',
    '/shop/07',
    '/shop/0',
    '/shop/55',
    '/shop/7/ph%6Fne-1a2b3c4d',
    '/shop/7/Phone-1a2b3c4d',
    '/shop/7//phone-1a2b3c4d',
    '/shop/7/phone-1a2b3c4d/',
    '/shop/7/phone/details',
    '/shop/7/-',
    `/shop/7/${'a'.repeat(200)}`,
    '/shop/slot/slot/7',
    '//shop/7',
    '/fr/../shop/7',
  ])('that are not spelled as the market spells them are left to the app: %s', (path) => {
    // A plain object, since the Request constructor would normalize the address.
    expect(
      pageCache.respond({
        method: 'GET',
        url: `http://market.test${path}`,
        headers: new Headers(),
      } as Request),
    ).toBeUndefined();
  });

  test('in the languages of a header are kept under the languages that there are', async () => {
    for (let n = 0; n < 50; n++)
      await get('/', { 'accept-language': `fr;q=0.${n + 10},${'x-'.repeat(4000)}${n}` });
    expect(pageCache.renders).toBe(1);
  });
});

test('the one who asks for a page that is not stored is told on: its address, and what a proxy says of it', async () => {
  const told: (string | null | undefined)[] = [];
  const asking = new PageCache({
    now: clock.now,
    async render(request, address) {
      told.push(address, request.headers.get('x-forwarded-for'));
      return new Response('too many', { status: 429, headers: { 'retry-after': '1' } });
    },
  });
  const request = () =>
    new Request('http://market.test/shop/7', { headers: { 'x-forwarded-for': '198.51.100.7' } });
  expect((await asking.respond(request(), () => '10.0.0.9'))?.status).toBe(429);
  // A refusal is not cached for others.
  expect((await asking.respond(request(), () => '10.0.0.8'))?.status).toBe(429);
  expect(told).toEqual(['10.0.0.9', '198.51.100.7', '10.0.0.8', '198.51.100.7']);
});
