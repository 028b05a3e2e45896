import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { createHot, type Hot, hotHeader } from '../../api/hot.ts';
import { standingClock } from '../support/clock.ts';

const clock = standingClock();
let content = 'first';
let until: string | undefined = 'change';
let status = 200;
let asked: string[] = [];
let gate: Promise<void> | undefined;
let hot: Hot;

beforeEach(() => {
  content = 'first';
  until = 'change';
  status = 200;
  asked = [];
  gate = undefined;
  hot = createHot({
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
          ...(until ? { [hotHeader]: until } : {}),
        },
      });
    },
  });
});

const get = async (path = '/', headers: Record<string, string> = {}, method = 'GET') =>
  (await hot.respond(new Request(`http://market.test${path}`, { method, headers }))) as Response;

describe('a public page in memory', () => {
  test('is rendered once and answered with its own headers', async () => {
    await get();
    const second = await get();
    expect(hot.renders).toBe(1);
    expect(await second.text()).toContain('first');
    expect(second.headers.get('content-security-policy')).toBe("default-src 'self'");
    expect(second.headers.get('vary')).toBe('accept-encoding, accept-language, cookie');
    // What belongs to one request, or to the server alone, stays behind.
    expect(second.headers.has('x-request-id')).toBe(false);
    expect(second.headers.has(hotHeader)).toBe(false);
  });

  test.each([
    ['br', (bytes: Uint8Array) => brotliDecompressSync(bytes)],
    ['gzip', (bytes: Uint8Array) => gunzipSync(bytes)],
  ])('is sent as %s where the browser takes it', async (encoding, unpack) => {
    await get();
    const response = await get('/', { 'accept-encoding': encoding });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(new TextDecoder().decode(unpack(new Uint8Array(await response.arrayBuffer())))).toContain('first');
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
    expect(asked).toEqual(['/ language=en; theme=system', '/ language=fr; theme=system', '/fr language=fr; theme=dark']);
  });

  test('never sees who is looking', async () => {
    await get('/', { cookie: 'marche54.session_token=secret; visitor=me' });
    expect(asked).toEqual(['/ language=en; theme=system']);
  });

  test('is thrown away on news', async () => {
    await get();
    content = 'second';
    hot.drop();
    expect(await (await get()).text()).toContain('second');
  });

  test('that was being rendered when news came is answered but not kept', async () => {
    let release = () => {};
    gate = new Promise((resolve) => {
      release = resolve;
    });
    const early = get();
    hot.drop();
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
    for (const response of await Promise.all(crowd)) expect(await response.text()).toContain('first');
    expect(hot.renders).toBe(1);
  });

  test('is rendered again when the next listing on it ends', async () => {
    until = new Date(clock.now().getTime() + 60_000).toISOString();
    await get();
    clock.advance({ seconds: 59 });
    await get();
    expect(hot.renders).toBe(1);
    clock.advance({ seconds: 1 });
    await get();
    expect(hot.renders).toBe(2);
  });

  test('is not kept without its header, nor when it is no page', async () => {
    until = undefined;
    await get();
    await get();
    until = 'change';
    status = 404;
    await get();
    await get();
    expect(hot.renders).toBe(4);
  });

  test.each(['/api/slots', '/seller/dashboard', '/?contact=failed', '/shop/slot/1?report=sent', '/admin', '/_astro/x.js', '/stalls', '/stalls?ids=1;drop'])(
    'leaves %s to the app',
    async (path) => {
      expect(hot.respond(new Request(`http://market.test${path}`))).toBeUndefined();
    },
  );

  test.each(['/', '/en', '/fr/', '/how-it-works', '/fr/shop/7/phone-1a2b3c4d', '/shop/slot/54', '/en/stalls?ids=3,54'])('takes %s', async (path) => {
    expect((await get(path)).status).toBe(200);
  });

  test('leaves writing to the app', () => {
    expect(hot.respond(new Request('http://market.test/', { method: 'POST' }))).toBeUndefined();
  });
});
