import { beforeEach, describe, expect, test, vi } from 'vitest';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { heavyJpeg } from '../support/photos.ts';
import { draftJson, uploadPhoto } from '../support/products.ts';
import { memoryStorage } from '../support/storage.ts';
import { plain } from '../support/text.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());

describe('what is not there', () => {
  test('is 404 in the reader’s language', async () => {
    expect(await market.call('/api/nowhere', { language: 'fr' })).toMatchObject({
      status: 404,
      body: { error: { code: 'notFound' } },
    });
    expect((await market.call('/api/slots/99')).body.error).toMatchObject({
      code: 'products.notFound',
      message: 'Product not found',
    });
    expect((await market.call('/api/slots/7', { language: 'fr' })).body.error.message).toBe(
      'Produit introuvable',
    );
    expect((await market.request('/media/products/none.webp')).status).toBe(404);
    expect((await market.request('/media/../../etc/passwd')).status).toBe(404);
  });

  test('is 405 where another method would be right, and changes nothing', async () => {
    for (const [method, path] of [
      ['DELETE', '/api/slots'],
      ['GET', '/api/auth/sign-in'],
      ['PUT', '/api/products'],
      ['POST', '/api/products/mine'],
      ['PATCH', '/api/auth/profile'],
    ] as const) {
      expect(await market.call(path, { method, as: admin }), `${method} ${path}`).toMatchObject({
        status: 405,
        body: { error: { code: 'methodNotAllowed' } },
      });
    }
  });
});

describe('what is too large', () => {
  test('is refused with 413: a JSON over 256 KB', async () => {
    expect(
      await market.call('/api/auth/sign-in', { json: { email: 'x'.repeat(300_000) } }),
    ).toMatchObject({
      status: 413,
      body: { error: { code: 'payloadTooLarge' } },
    });
  });

  test('is refused with 413 also when it does not say how long it is', async () => {
    const body = new ReadableStream({
      start(controller) {
        for (let n = 0; n < 40; n++) controller.enqueue(new Uint8Array(10_000).fill(120));
        controller.close();
      },
    });
    const { status } = await market.call('/api/auth/sign-in', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(status).toBe(413);
  });

  test('is refused by name: a photo over 5 MB', async () => {
    const answer = await market.call('/api/uploads', {
      method: 'POST',
      body: new Uint8Array(await heavyJpeg()),
      headers: { 'x-file-name': encodeURIComponent('Ma télé.jpg') },
      as: seller,
      language: 'fr',
    });
    expect([answer.status, plain(answer.body.error.message)]).toEqual([
      413,
      'Le fichier doit peser moins de 5 Mo. La photo « Ma télé.jpg » n’a pas été ajoutée. Vos autres photos sont conservées. Choisissez une photo plus légère.',
    ]);
  });
});

describe('an unexpected error', () => {
  test('is answered with a sentence and a reference, never with a stack, and logged whole', async () => {
    vi.spyOn(market.services.storage, 'get').mockRejectedValueOnce(
      new Error('secret path /srv/disk is broken'),
    );
    const { status, body, headers } = await market.call('/media/products/a.webp', {
      language: 'fr',
    });
    expect(status).toBe(500);
    expect(Object.keys(body.error).sort()).toEqual(['code', 'message', 'requestId']);
    expect(body.error.code).toBe('unexpected');
    expect(plain(body.error.message)).toBe(
      `Une erreur est survenue de notre côté et votre demande n’a pas abouti. Veuillez réessayer. Si cela se reproduit, donnez-nous cette référence : ${body.error.requestId}`,
    );
    expect(body.error.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(JSON.stringify(body)).not.toMatch(/secret path|at .*\.ts/);
    const line = market.logged.find((entry) => entry.requestId === body.error.requestId);
    expect(JSON.stringify(line)).toContain('secret path /srv/disk is broken');
  });

  test('of a broken database tells nothing about it and hides the numbers of the failed statement', async () => {
    const images = [await uploadPhoto(market, seller)];
    await market.sql`alter table products rename to products_away`;
    try {
      const { status, body } = await market.call('/api/products', {
        json: draftJson({ images }),
        as: seller,
      });
      expect([status, body.error.code]).toEqual([500, 'unexpected']);
      expect(JSON.stringify(body)).not.toMatch(/products_away|relation|insert|select/i);
      expect((await market.request('/readyz')).status).toBe(200);
    } finally {
      await market.sql`alter table products_away rename to products`;
    }
    expect(market.logged.some((entry) => entry.level === 'error')).toBe(true);
    expect(JSON.stringify(market.logged)).not.toContain('699001234');
  });

  test('has its request id in the header of every answer, also of refusals', async () => {
    for (const path of ['/api/slots', '/api/nowhere', '/readyz']) {
      const response = await market.request(path);
      expect(response.headers.get('x-request-id'), path).toMatch(/^[0-9a-f-]{36}$/);
    }
    const { body, headers } = await market.call('/api/nowhere');
    expect(headers.get('x-request-id')).toBe(body.error.requestId);
  });
});

describe('a request from another site', () => {
  const post = (headers: Record<string, string>) =>
    market.request('/preferences', { form: { language: 'fr' }, headers });
  test('is refused by its Origin', async () => {
    for (const origin of [
      'https://evil.example',
      'null',
      'http://market.test.evil.example',
      'https://market.test:444',
    ])
      expect((await post({ origin })).status, origin).toBe(403);
    const answer = await market.call('/api/auth/sign-in', {
      json: {},
      headers: { origin: 'https://evil.example' },
      language: 'fr',
    });
    expect(answer.body.error.code).toBe('originRefused');
  });
  test('is refused by what the browser says of it', async () => {
    expect((await post({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });
  test('is no such thing when it comes from here, or from no browser at all', async () => {
    expect((await post({ origin: 'http://market.test' })).status).toBe(303);
    expect((await post({ 'sec-fetch-site': 'same-origin' })).status).toBe(303);
    expect((await post({})).status).toBe(303);
  });
  test('may read what everybody may read', async () => {
    expect(
      (
        await market.request('/api/slots', {
          headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        })
      ).status,
    ).toBe(200);
  });
});

describe('the language of an answer (product R40)', () => {
  const said = async (headers: Record<string, string>, path = '/api/nowhere') =>
    (await market.call(path, { headers })).body.error.message.startsWith('We could') ? 'en' : 'fr';
  test('is the page’s, then the remembered one, then the browser’s, then English', async () => {
    const cookie = 'language=fr';
    expect(await said({ 'x-language': 'en', cookie, 'accept-language': 'fr' })).toBe('en');
    expect(await said({ cookie, 'accept-language': 'en' })).toBe('fr');
    expect(await said({ 'accept-language': 'fr-CM,fr;q=0.9,en;q=0.8' })).toBe('fr');
    expect(await said({ 'accept-language': 'de' })).toBe('en');
    expect(await said({})).toBe('en');
    expect(await said({ 'x-language': 'de', cookie: 'language=xx', 'accept-language': 'fr' })).toBe(
      'fr',
    );
  });

  test('is remembered by the switch, which leads back to the same page in that language', async () => {
    const visitor = market.visitor();
    const there = async (form: Record<string, string>) =>
      (await market.request('/preferences', { form, as: visitor })).headers.get('location');
    expect(await there({ language: 'fr', returnTo: '/en/shop/7?x=1' })).toBe('/fr/shop/7?x=1');
    expect(await there({ language: 'fr', returnTo: '/shop/7' })).toBe('/shop/7');
    expect(await there({ language: 'en', returnTo: '/fr' })).toBe('/en');
    expect(await there({ language: 'fr', returnTo: '//evil.example' })).toBe('/');
    expect(await there({ language: 'fr' })).toBe('/');
    expect(visitor.jar.has('language')).toBe(true);
    expect((await market.request('/preferences', { form: { language: 'de' } })).status).toBe(400);
  });
});

describe('cookies', () => {
  test('are set for nobody who merely looks', async () => {
    for (const path of ['/api/slots', '/api/auth/me', '/api/contact/limit', '/readyz'])
      expect((await market.request(path)).headers.getSetCookie(), path).toEqual([]);
  });

  test('name a visitor once a call counts people, signed and for this site alone', async () => {
    const visitor = market.visitor();
    const event = { slotId: 1, productId: '3f9c1d2e-0000-4000-8000-000000000000', type: 'view' };
    const first = await market.request('/api/engagement', { json: event, as: visitor });
    const [cookie = ''] = first.headers.getSetCookie();
    expect(cookie).toMatch(/^visitor=.*; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(
      (
        await market.request('/api/engagement', { json: event, as: visitor })
      ).headers.getSetCookie(),
    ).toEqual([]);
    const forged = await market.request('/api/engagement', {
      json: event,
      headers: { cookie: cookie.split(';')[0]?.replace(/=.{4}/, '=aaaa') ?? '' },
    });
    expect(forged.headers.getSetCookie()).toHaveLength(1);
  });
});

describe('headers', () => {
  test('keep browsers from guessing, framing and caching what is private', async () => {
    const { headers } = await market.request('/api/slots');
    expect(
      Object.fromEntries(
        ['x-content-type-options', 'x-frame-options', 'referrer-policy', 'cache-control'].map(
          (name) => [name, headers.get(name)],
        ),
      ),
    ).toEqual({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cache-control': 'no-store',
    });
    const refusal = await market.request('/api/nowhere');
    expect([
      refusal.headers.get('x-content-type-options'),
      refusal.headers.get('cache-control'),
    ]).toEqual(['nosniff', 'no-store']);
  });
});

describe('health', () => {
  test('/healthz answers without the database', async () => {
    const away = await testApp({
      database: {
        ...market.database,
        db: new Proxy(market.db, { get: () => Promise.reject.bind(Promise, new Error('away')) }),
      },
    });
    expect(await away.call('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  test('/readyz says whether database and storage answer', async () => {
    expect(await market.call('/readyz')).toMatchObject({
      status: 200,
      body: { ready: true, database: true, storage: true },
    });
    const storage = memoryStorage();
    const broken = await testApp({ database: market.database, storage });
    storage.failAfter(0);
    expect(await broken.call('/readyz')).toMatchObject({
      status: 503,
      body: { ready: false, database: true, storage: false },
    });
  });
});

test('a process that was asked to end says that it is not ready, and still answers', async () => {
  const leaving = await testApp({ database: market.database });
  leaving.services.leaving = AbortSignal.abort();
  expect(await leaving.call('/readyz')).toMatchObject({
    status: 503,
    body: { ready: false, database: true, storage: true },
  });
  expect((await leaving.request('/api/slots')).status).toBe(200);
});

describe('the OpenAPI document', () => {
  type Operation = {
    tags: string[];
    summary: string;
    description: string;
    responses: Record<string, unknown>;
    parameters?: unknown[];
    requestBody?: { content: Record<string, { schema: unknown }> };
  };
  type Document = {
    openapi: string;
    info: { title: string };
    servers: { url: string }[];
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, unknown> };
  };

  test('lists every route of the app with its line, its roles and its refusal', async () => {
    const { body } = await market.call<Document>('/api/openapi.json');
    expect([body.openapi, body.servers]).toEqual(['3.1.0', [{ url: 'http://market.test' }]]);
    const documented = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    // OpenAPI has no wildcards, so the document cannot list these.
    const routes = [
      ...new Set(
        market.app.routes
          .filter((entry) => entry.method !== 'ALL' && !entry.path.endsWith('/*'))
          .map((entry) => `${entry.method} ${entry.path.replaceAll(/:(\w+)/g, '{$1}')}`),
      ),
    ];
    expect(documented.sort()).toEqual(routes.sort());
    for (const [path, methods] of Object.entries(body.paths)) {
      for (const operation of Object.values(methods)) {
        expect(operation.summary, path).toMatch(/\S/);
        expect(operation.tags, path).toHaveLength(1);
        expect(operation.description, path).toMatch(/^Allowed: /);
        expect(JSON.stringify(operation.responses.default), path).toContain(
          '#/components/schemas/Error',
        );
      }
    }
    expect(body.components.schemas).toHaveProperty('Error');
  });

  test('describes what a submission must hold', async () => {
    const { body } = await market.call<Document>('/api/openapi.json');
    const schema = JSON.stringify(
      body.paths['/api/products']?.post?.requestBody?.content['application/json']?.schema,
    );
    for (const word of [
      '"durationHours"',
      '"sellerWhatsapp"',
      '"electronics"',
      '"mtn_momo"',
      '"additionalProperties":false',
    ])
      expect(schema).toContain(word);
  });
});

describe('the outbox page’s data', () => {
  test('exists in the demo alone (product R0)', async () => {
    expect((await market.call('/api/demo/outbox', { as: admin })).status).toBe(404);
    const demo = await testApp({ database: market.database, env: { DEMO: '1' } });
    await market.call('/api/auth/forgot-password', { json: { email: seller.email } });
    const { status, body } = await demo.call<{
      messages: { to: string; subject: string; text: string }[];
    }>('/api/demo/outbox');
    expect(status).toBe(200);
    expect(body.messages).toMatchObject([{ to: seller.email, subject: 'Choose a new password' }]);
  });
});

describe('a photo over HTTP', () => {
  test('is sent as the body, answered with its URL, shown to everybody, and taken back', async () => {
    const { default: sharp } = await import('sharp');
    const bytes = await sharp({ create: { width: 90, height: 60, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    const sent = await market.call<{ id: string; image: { src: string; sources: unknown[] } }>(
      '/api/uploads',
      {
        method: 'POST',
        body: new Uint8Array(bytes),
        headers: { 'x-file-name': '%E9broken' },
        as: seller,
      },
    );
    expect(sent.status).toBe(201);
    const photo = await market.request(sent.body.image.src);
    expect([photo.status, photo.headers.get('content-security-policy')]).toEqual([
      200,
      "default-src 'none'",
    ]);
    expect(
      (await market.call(`/api/uploads/${sent.body.id}`, { method: 'DELETE', as: admin })).status,
    ).toBe(400);
    expect(
      (await market.call(`/api/uploads/${sent.body.id}`, { method: 'DELETE', as: seller })).body,
    ).toEqual({ discarded: true });
    expect((await market.request(sent.body.image.src)).status).toBe(404);
  });
});
