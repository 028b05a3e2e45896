import { describe, expect, test } from 'vitest';
import { nestsDeeply } from '../../api/http/route.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';

/** A route reads at most the bytes it accepts, decided before parsing (decision 059). */
const market = await testApp();
const { seller } = await actors(market);

const keys = (count: number) => Array.from({ length: count }, (_, n) => `k${n}=1`).join('&');
const form = { 'content-type': 'application/x-www-form-urlencoded' };
/** A body without a length; counts what was read. */
function endless() {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent > 8_000_000) return controller.close();
      controller.enqueue(new Uint8Array(10_000).fill(120));
      sent += 10_000;
    },
  });
  return { body, read: () => sent };
}

describe('a body larger than its route takes', () => {
  test.each([
    '/preferences',
    '/sign-out',
    '/contact/1a2b3c4d',
    '/report/3f9c1d2e-0000-4000-8000-000000000000',
    '/nowhere',
    '/fr',
  ])('is refused with 413 at %s', async (path) => {
    const { status, headers } = await market.request(path, {
      method: 'POST',
      body: keys(3000),
      headers: form,
    });
    expect(status).toBe(413);
    expect(headers.get('content-type')).toContain('application/json');
  });

  test('is refused with 413 in the API, at the route of events already beyond 1 KB', async () => {
    expect(
      (await market.call('/api/auth/sign-in', { json: { email: 'x'.repeat(33_000) } })).status,
    ).toBe(413);
    expect(
      (
        await market.call('/api/engagement', {
          json: { slotId: 1, productId: 'x'.repeat(1100), type: 'view' },
        })
      ).status,
    ).toBe(413);
  });

  test.each(['/preferences', '/api/auth/sign-in', '/api/engagement'])(
    'is not read to its end at %s when it does not say how long it is',
    async (path) => {
      const { body, read } = endless();
      const { status } = await market.request(path, {
        method: 'POST',
        body,
        headers: path.startsWith('/api') ? { 'content-type': 'application/json' } : form,
      });
      expect(status).toBe(413);
      expect(read()).toBeLessThan(100_000);
    },
  );

  test('that says a false length is judged by its bytes', async () => {
    const { body } = endless();
    const { status } = await market.request('/preferences', {
      method: 'POST',
      body,
      headers: { ...form, 'content-length': '5', 'transfer-encoding': 'chunked' },
    });
    expect(status).toBe(413);
  });
});

test.each([
  ['[[1]]', false],
  [JSON.stringify({ name: '['.repeat(1000), other: '\\"[[['.repeat(100) }), false],
  ['[],'.repeat(1000), false],
  ['['.repeat(21), true],
  [`{"a":${'{"b":'.repeat(20)}`, true],
  [`"\\"${'['.repeat(100)}`, false],
  [`"\\\\"${'['.repeat(100)}`, true],
])('%j nests deeply: %s', (text, deep) => expect(nestsDeeply(text)).toBe(deep));

test('the largest product that can be submitted is read', async () => {
  const long = '\u{1F34D}';
  const { status, body } = await market.call('/api/products', {
    as: seller,
    json: {
      name: { en: long.repeat(100), fr: long.repeat(100) },
      description: { en: long.repeat(1000), fr: long.repeat(1000) },
    },
  });
  expect([status, body.error.code]).toEqual([400, 'validation']);
});

test('the body of a request that only reads is not read itself', async () => {
  for (const [method, status] of [
    ['OPTIONS', 404],
    ['PROPFIND', 404],
  ] as const) {
    const { body, read } = endless();
    expect((await market.request('/preferences', { method, body })).status, method).toBe(status);
    expect(read(), method).toBeLessThan(50_000);
  }
});

test.each([
  ['nested arrays', '['.repeat(16_000) + ']'.repeat(16_000)],
  [
    'keys nobody knows',
    JSON.stringify(Object.fromEntries(Array.from({ length: 2500 }, (_, n) => [`k${n}`, 1]))),
  ],
  ['an array of wrong things', JSON.stringify({ images: Array.from({ length: 8000 }, () => 1) })],
])('%s are refused with a small answer', async (_, body) => {
  const answer = await market.request('/api/products', {
    method: 'POST',
    body,
    as: seller,
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.status).toBe(400);
  expect((await answer.text()).length).toBeLessThan(20_000);
});
