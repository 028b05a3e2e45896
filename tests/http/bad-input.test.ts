import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { schema } from '../../db/client.ts';
import { type Person, signInAdmin, signUpSeller } from '../support/actors.ts';
import { live, productRow } from '../support/products.ts';
import type { Heard } from '../support/rawRequest.ts';
import { servedMarket } from '../support/served.ts';
import { plain } from '../support/text.ts';

const market = await servedMarket();
const { raw, get, post } = market;
let seller: Person;
let admin: Person;
let product: { id: string; slotId: number };
beforeAll(async () => {
  [seller, admin] = await Promise.all([signUpSeller(market), signInAdmin(market)]);
  product = await live(market, seller, admin);
});

const html = { accept: 'text/html,application/xhtml+xml' };
const json = 'application/json';
const codeOf = ({ body }: Heard): string =>
  (JSON.parse(body) as { error: { code: string } }).error.code;
const fieldsOf = ({ body }: Heard) =>
  (JSON.parse(body) as { error: { fields?: { path: string; message: string }[] } }).error.fields;
const internals = /\.ts|node_modules|Error\b|bun|select |\/work\/|__bunfallback|<pre/i;

describe('a Host that is none', () => {
  for (const host of [
    '][',
    'a b',
    'a/b?c#d',
    'u:p@h',
    '%00',
    'é',
    '[::1',
    '',
    'market.test, evil.example',
  ]) {
    test(`“${host}” is answered with 400 and shows nothing`, async () => {
      const page = await raw(`GET /fr HTTP/1.1\r\nHost: ${host}\r\nAccept: text/html`);
      expect([page.status, page.headers['content-type']]).toEqual([
        400,
        ['text/html; charset=utf-8'],
      ]);
      expect(page.body).not.toMatch(internals);
      expect((await raw(`GET /api/slots HTTP/1.1\r\nHost: ${host}`)).status).toBe(400);
    });
  }
  test('has its sentence in the reader’s language, as a page and in JSON', async () => {
    const sentence =
      'Cette adresse est illisible : rien n’a été ouvert ni modifié. Copiez le lien en entier, ou repartez de l’accueil.';
    const page = await raw(
      'GET /nowhere HTTP/1.1\r\nHost: ][\r\nAccept: text/html\r\nAccept-Language: fr',
    );
    expect(plain(page.body)).toContain(sentence);
    expect(page.body).toContain('<html lang="fr">');
    const answer = await raw(
      'GET /api/slots HTTP/1.1\r\nHost: ][\r\nAccept: text/html\r\nAccept-Language: fr',
    );
    expect(codeOf(answer)).toBe('malformedAddress');
    expect(plain(answer.body)).toContain(sentence);
  });
  test('may have any port that a number can be, or none', async () => {
    expect((await raw('GET /api/slots HTTP/1.1\r\nHost: a:99999')).status).toBe(400);
    expect((await raw('GET /api/slots HTTP/1.1\r\nHost: [::1]:5454')).status).toBe(200);
    expect((await raw('GET /api/slots HTTP/1.1\r\nHost: 192.168.1.20')).status).toBe(200);
  });
});

describe('a forged Host', () => {
  const forged = (method: string, target: string, more = '') =>
    raw(`${method} ${target} HTTP/1.1\r\nHost: evil.example${more}`);
  test('is nowhere in what is kept for everybody', async () => {
    for (const path of ['/', '/fr', '/en/how-it-works', `/en/shop/slot/${product.slotId}`]) {
      market.pageCache.drop();
      expect(
        (
          await forged(
            'GET',
            path,
            '\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: javascript',
          )
        ).body,
        path,
      ).not.toContain('evil.example');
      expect((await get(path)).body, path).not.toContain('evil.example');
      expect((await forged('GET', `${path}?x=1`)).body, path).not.toContain('evil.example');
    }
  });
  test('makes no foreign page one of ours', async () => {
    const from = (host: string, origin: string, more = '') =>
      raw(
        `POST /api/auth/sign-out HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nContent-Length: 0${more}`,
      );
    expect((await from('evil.example', 'http://evil.example')).status).toBe(403);
    expect(
      (await from('evil.example', 'https://evil.example', '\r\nX-Forwarded-Proto: https')).status,
    ).toBe(403);
    expect(
      (await from('market.test', 'https://market.test', '\r\nX-Forwarded-Proto: https')).status,
    ).toBe(403);
    expect((await from('market.test', 'http://market.test')).status).toBe(200);
    // Operators open the market on the machine itself.
    expect((await from('localhost:5454', 'http://localhost:5454')).status).toBe(200);
    expect((await from('localhost:5454', 'http://localhost:3000')).status).toBe(403);
  });
});

describe('an address that cannot be read', () => {
  for (const path of [
    '/%00',
    '/fr/shop/%C0%80',
    '/shop/slot/%ZZ',
    '/en/shop/7/%',
    '/shop/1/a%0D%0ASet-Cookie:%20a=b',
  ]) {
    test(`${path} is 400, as a page`, async () => {
      const { status, headers, body } = await get(path, html);
      expect([status, headers['content-type'], headers['set-cookie']]).toEqual([
        400,
        ['text/html; charset=utf-8'],
        undefined,
      ]);
      expect(body).not.toMatch(internals);
    });
  }
  test('is 400 in JSON for the API', async () => {
    for (const path of [
      '/api/market/products/a%00b',
      '/api/slots/%ZZ',
      '/api/products/%C0%80/own',
      '/api/%00',
    ])
      expect(codeOf(await get(path, html)), path).toBe('malformedAddress');
  });
  test('may have a query that cannot: links get torn', async () => {
    for (const query of ['?x=%ZZ', '?report=%00', '?%C0%80', '?next=%', '?ids=%00'])
      expect((await get(`/en${query}`, html)).status, query).toBe(200);
  });
  test('leads nowhere else, however many slashes it has', async () => {
    for (const path of [
      '//',
      '//evil.example/x',
      '/\\evil.example',
      '/%5Cevil.example',
      '/en//evil.example',
      '/..%2f..%2fetc%2fpasswd',
    ]) {
      const { status, headers, body } = await get(path, html);
      expect([status, headers.location], path).toEqual([404, undefined]);
      expect(body.match(/(?:href|action|value)="(?:\/[/\\]|[^"]*evil)[^"]*"/g), path).toBeNull();
    }
  });
  test('does not walk through the API behind a page', async () => {
    // Decoded, the slug would address another API route, and the page would show its answer.
    for (const slug of [
      '..%2f..%2fslots',
      '..%2F..%2Fmarket%3F',
      '%2e%2e%2f%2e%2e%2fauth%2fme',
      'x%3Flanguage=fr',
      'x%23',
    ])
      expect((await get(`/en/shop/${product.slotId}/${slug}`, html)).status, slug).toBeOneOf([
        302, 404,
      ]);
  });
  test('is no photo, however it is written', async () => {
    for (const name of [
      'a..webp',
      `${'x'.repeat(3000)}.webp`,
      '%2e%2e%2fsecret',
      'a%5C..%5Cb',
      '-',
      'a b',
    ])
      for (const folder of ['/media/products/', '/media/cards/', '/media/'])
        expect((await get(folder + name.replace(' ', '%20'))).status, name).toBe(404);
  });
  test('in its whole form, and odd methods, are answered too', async () => {
    expect(
      (await raw('GET http://evil.example/api/slots HTTP/1.1\r\nHost: market.test')).status,
    ).toBe(200);
    expect((await raw('CONNECT market.test:443 HTTP/1.1\r\nHost: market.test')).status).toBe(400);
    for (const method of ['OPTIONS', 'TRACE', 'POST', 'DELETE', 'PROPFIND']) {
      expect((await get('/en', html, method)).status, method).toBe(404);
      expect((await get('/api/slots', {}, method)).status, method).toBe(405);
    }
  });
  test('is answered to HEAD as to GET, without a body', async () => {
    for (const path of [
      '/',
      '/fr',
      '/api/slots',
      '/nowhere',
      '/api/nowhere',
      '/shop/%00',
      '/robots.txt',
      '/sitemap.xml',
      '/api/openapi.json',
      '/media/products/x.webp',
    ]) {
      const [head, whole] = await Promise.all([get(path, html, 'HEAD'), get(path, html)]);
      expect([head.status, head.body], path).toEqual([whole.status, '']);
    }
  });
});

test('a HEAD of the line to open pages opens none: nobody would close it', async () => {
  const before = market.broadcast.listeners;
  for (let n = 0; n < 5; n++) expect((await get('/api/live', {}, 'HEAD')).status).toBe(200);
  expect(market.broadcast.listeners).toBe(before);
});

describe('a text that no database can keep', () => {
  const nul = 'a\u0000b';
  test('is refused field by field in JSON', async () => {
    const answer = await post(
      '/api/auth/sign-in',
      json,
      JSON.stringify({ email: 'a@b.cd', password: nul }),
      { 'accept-language': 'fr' },
    );
    expect([answer.status, fieldsOf(answer)]).toEqual([
      400,
      [
        {
          path: 'password',
          code: 'unreadable',
          message:
            'Contient un caractère qui ne peut pas être enregistré. Supprimez-le et ressaisissez le texte.',
        },
      ],
    ]);
    for (const token of [nul, '\ud800', 'x\udfff']) {
      const body = JSON.stringify({ token, password: 'a good password' });
      expect(
        fieldsOf(await post('/api/auth/reset-password', json, body))?.[0]?.path,
        JSON.stringify(token),
      ).toBe('token');
    }
  });
  test('is refused deep inside, and as the name of a field', async () => {
    const inside = await market.call('/api/admin/settings/payees', {
      method: 'PUT',
      json: { value: { cash: { payee: nul, number: '\ud800' } } },
      as: admin,
    });
    expect(inside.body.error.fields?.map(({ path }) => path)).toEqual([
      'value.cash.payee',
      'value.cash.number',
    ]);
    expect((await market.call('/api/auth/sign-in', { json: { [nul]: 1 } })).body.error.code).toBe(
      'malformedJson',
    );
  });
  test('is refused in queries and forms', async () => {
    for (const path of [
      '/api/admin/sellers?search=a%00b',
      '/api/admin/audit?actor=%00',
      '/api/live?since=%00',
    ])
      expect((await market.call(path, { as: admin })).body.error.code, path).toBe('validation');
    const form = await post(
      '/preferences',
      'application/x-www-form-urlencoded',
      'language=fr&returnTo=%00',
      html,
    );
    expect([form.status, form.headers['content-type']]).toEqual([
      400,
      ['text/html; charset=utf-8'],
    ]);
    const report = await post(
      `/report/${product.id}`,
      'application/x-www-form-urlencoded',
      'reason=fraud&note=a%00b&slot=1',
      html,
    );
    expect(report.status).toBe(400);
  });
});

describe('a moment or a number beyond what the database knows', () => {
  test('is refused', async () => {
    const { updatedAt } = await productRow(market, product.id);
    const paths = [
      '/api/admin/audit?from=0000-01-01',
      '/api/admin/audit?to=0000-12-31',
      '/api/admin/products/pending?page=9007199254740991',
      '/api/admin/products/pending?page=1e9',
      '/api/admin/reports?page=-0',
      '/api/admin/queue?queueName=queue:regular&page=NaN',
      '/api/admin/fees?page=100000000000000000000',
    ];
    for (const path of paths)
      expect(await market.call(path, { as: admin }), path).toMatchObject({
        status: 400,
        body: { error: { code: 'validation' } },
      });
    for (const seen of [
      '0000-01-01T00:00:00Z',
      '2026-02-30T00:00:00Z',
      `${updatedAt.toISOString().slice(0, 11)}24:00:00Z`,
    ]) {
      const answer = await market.call(`/api/admin/reports/${product.id}/resolve`, {
        json: { resolution: 'Seen', seen },
        as: admin,
      });
      expect([answer.status, answer.body.error.fields?.[0]?.path], seen).toEqual([400, 'seen']);
    }
    expect(
      (await market.call('/api/admin/audit?from=0001-01-01&to=9999-12-31', { as: admin })).status,
    ).toBe(200);
  });
});

describe('a name that every object has', () => {
  test('is no message of a page', async () => {
    for (const name of ['valueOf', '__proto__', 'constructor', 'toString', 'hasOwnProperty'])
      for (const ask of ['report', 'contact', 'tab', 'range', 'next', 'mode']) {
        const { status, body } = await get(`/en/shop/slot/${product.slotId}?${ask}=${name}`, html);
        expect([status, /\[native code\]|\[object Object\]/.test(body)], `${ask}=${name}`).toEqual([
          200,
          false,
        ]);
      }
  });
  test('is nothing that a browser can choose', async () => {
    for (const name of ['valueOf', '__proto__', 'constructor']) {
      expect(
        (
          await market.call(`/api/admin/settings/${name}`, {
            method: 'PUT',
            json: { value: 1 },
            as: admin,
          })
        ).status,
        name,
      ).toBe(400);
      expect(
        (await market.call(`/api/admin/analytics?range=${name}`, { as: admin })).status,
        name,
      ).toBe(400);
      expect(
        (await get('/en', { ...html, cookie: `theme=${name}; language=${name}` })).status,
        name,
      ).toBe(200);
      const body = `{"reason":"fraud","${name}":{"status":"approved"}}`;
      expect((await post(`/api/products/${product.id}/report`, json, body)).status, name).toBe(400);
    }
  });
});

describe('a body that is not what it says', () => {
  const forms: [string, string][] = [
    ['multipart/form-data', 'x'],
    ['multipart/form-data; boundary=', '--\r\n'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="returnTo"\r\n\r\n/',
    ],
    ['multipart/form-data; boundary=x', ''],
  ];
  for (const [type, body] of forms)
    test(`${type} with ${JSON.stringify(body.slice(0, 10))} is 400, as a page in the reader’s language`, async () => {
      const {
        status,
        headers,
        body: shown,
      } = await post('/preferences', type, body, { ...html, 'accept-language': 'fr' });
      expect([status, headers['content-type']]).toEqual([400, ['text/html; charset=utf-8']]);
      expect(plain(shown)).toContain('La demande est illisible : rien n’a été modifié.');
      expect(shown).not.toMatch(internals);
    });
  test('JSON that nests without end, repeats itself or counts too far is refused', async () => {
    for (const body of [
      '['.repeat(30_000),
      `${'['.repeat(15_000)}${']'.repeat(15_000)}`,
      `{"email":${'{"a":'.repeat(60)}1${'}'.repeat(60)}}`,
      '{"email":"a@b.cd","email":null}',
      `{"email":${'9'.repeat(400)}}`,
    ])
      expect((await post('/api/auth/sign-in', json, body)).status, body.slice(0, 20)).toBe(400);
  });
  test('a compressed one is not taken for JSON', async () => {
    expect(
      codeOf(
        await post('/api/auth/sign-in', json, Bun.gzipSync(Buffer.from('{"email":"a@b.cd"}')), {
          'content-encoding': 'gzip',
        }),
      ),
    ).toBe('malformedJson');
  });
});

describe('cookies and headers of any bytes', () => {
  test('count as none', async () => {
    for (const cookie of [
      'language=%00; theme=%ZZ',
      'visitor=%ZZ.%00',
      'marche54.session_token=%00.%00',
      'marche54.session_token="',
      '=;=;',
      'marche54.session_token=é',
      `visitor=${'a.'.repeat(900)}`,
    ])
      for (const path of ['/en', '/api/auth/me', '/seller/auth'])
        expect((await get(path, { ...html, cookie })).status, `${cookie} ${path}`).toBe(200);
  });
  test('change nothing', async () => {
    const headers: [string, string][] = [
      ['range', 'bytes=5-1'],
      ['range', 'bytes=0-18446744073709551616'],
      ['if-none-match', '"'],
      ['if-modified-since', 'Thu, 99 Jan 99999'],
      ['accept', ',,,;;;'],
      ['accept-language', ';q=1,*;q=x'],
      ['accept-encoding', '*;q=0,,x'],
      ['x-forwarded-for', ',,,'],
      ['x-forwarded-proto', '://'],
      ['x-language', '__proto__'],
      ['last-event-id', '%00'],
    ];
    for (const [name, value] of headers)
      for (const path of ['/en', '/api/slots', '/robots.txt', '/api/live'])
        expect((await get(path, { [name]: value })).status, `${name}: ${value} ${path}`).toBe(200);
  });
  test('of a redirect hold one address of this site', async () => {
    for (const to of [
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      'https://evil.example',
      '/x\r\nSet-Cookie: a=b',
      'javascript:alert(1)',
    ]) {
      const { status, headers } = await post(
        '/preferences',
        'application/x-www-form-urlencoded',
        `language=fr&returnTo=${encodeURIComponent(to)}`,
      );
      expect([status, headers.location, headers['set-cookie']?.length], to).toEqual([
        303,
        ['/'],
        1,
      ]);
    }
  });
});

describe('a fault of our own', () => {
  test('stays 500, is logged whole, and shows a sentence alone: ahead of the app too', async () => {
    vi.spyOn(market.pageCache, 'respond').mockImplementation(() => {
      throw new Error('secret path /srv/disk is broken');
    });
    try {
      const page = await get('/fr', html);
      expect([page.status, page.headers['content-type']]).toEqual([
        500,
        ['text/html; charset=utf-8'],
      ]);
      expect(plain(page.body)).toContain('Une erreur est survenue de notre côté');
      const answer = await get('/api/slots');
      expect([answer.status, codeOf(answer)]).toEqual([500, 'unexpected']);
      for (const { body } of [page, answer]) expect(body).not.toMatch(/secret|srv|Error\b/);
      expect(JSON.stringify(market.logged)).toContain('secret path /srv/disk is broken');
    } finally {
      vi.restoreAllMocks();
    }
  });
});

test('none of this has changed the market', async () => {
  const [slot] = await market.db
    .select()
    .from(schema.slots)
    .where(eq(schema.slots.id, product.slotId));
  expect(slot?.productId).toBe(product.id);
});
