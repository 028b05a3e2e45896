import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { roles } from '../../api/core/access.ts';
import type { OpenApi } from '../../api/docs/openapi.ts';
import { fieldsOf, rulesOf, typeOf } from '../../api/docs/shape.ts';
import { answeredCodes } from '../../api/shared/errors.ts';
import { testApp } from '../support/app.ts';

const market = await testApp();
const get = (headers: Record<string, string> = {}) => market.request('/api/docs', { headers });
const plain = (html: string) =>
  html
    .replaceAll(/<wbr>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(' ,', ',');

/** Text of the page's section about an operation. */
const about = (html: string, id: string) =>
  plain(new RegExp(`<article id="${id}".*?</article>`, 's').exec(html)?.[0] ?? '');

describe('the page of the API', () => {
  test('has every documented operation with its line, who may call it, and what goes in and comes back', async () => {
    const html = await (await get()).text();
    const { body } = await market.call<OpenApi>('/api/openapi.json');
    const operations = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
    expect(operations.length).toBeGreaterThan(80);
    for (const { path, method, operation } of operations) {
      const text = about(html, operation.operationId);
      expect(text, path).toContain(`${method.toUpperCase()} ${path}`);
      expect(text).toContain(operation.summary);
      const allowed = operation.description.slice('Allowed: '.length, -1);
      expect(text).toContain(
        `May call: ${allowed.split(', ').length === roles.length ? 'everybody' : allowed}`,
      );
      for (const { name, schema } of operation.parameters ?? [])
        expect(text, path).toContain(`${name} ${typeOf(schema)}`);
      for (const { schema } of Object.values(operation.requestBody?.content ?? {}))
        for (const { name, type } of fieldsOf(schema))
          expect(text, path).toContain(`${name} ${type}`);
      for (const status of Object.keys(operation.responses))
        expect(text).toContain(status === 'default' ? 'other Refused' : status);
      expect(html).toContain(`<a href="#${operation.operationId}">`);
    }
    expect(html.match(/<article /g)).toHaveLength(operations.length);
  });

  test('says what a submission must hold', async () => {
    const text = about(await (await get()).text(), 'postApiProducts');
    for (const words of [
      'name.en text; required',
      'price number; required, 100 to 10000000',
      'images list of uuid; required, 1 to 5 entries',
      'listingType one of "standard", "featured"; optional, "standard" unless given',
      'idempotency-key text; optional, 8 to 100 characters',
      'May call: seller, admin',
    ])
      expect(text).toContain(words);
  });

  test('names the secret that a machine needs', async () => {
    const html = await (await get()).text();
    expect(about(html, 'getMetrics')).toContain(
      'May call: everybody; needs metricsToken : The token of METRICS_TOKEN',
    );
    expect(about(html, 'getApiSlots')).not.toContain('needs');
    expect(about(html, 'getApiAccount')).not.toContain('needs');
  });

  test('lists every code of a refusal with its status', async () => {
    const text = plain(await (await get()).text());
    for (const [code, status] of answeredCodes) expect(text).toContain(` ${status} ${code} `);
    expect(text).not.toContain('{{');
  });

  test('needs no script and allows none: one style sheet by its hash, and the market’s own typeface', async () => {
    const answer = await get();
    const html = await answer.text();
    const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(html).not.toMatch(/<script|<link|<img|style=|\son\w+=/);
    for (const [, found = ''] of html.matchAll(/(?:href|src)="([^"]*)"/g))
      expect(found).toMatch(/^[/#]/);
  });

  test('wears the theme that the person chose', async () => {
    expect(await (await get({ cookie: 'theme=dark' })).text()).toContain(
      '<html lang="en" data-theme="dark">',
    );
    expect(await (await get({ cookie: 'theme=puce' })).text()).toContain('<html lang="en">');
  });

  test('has the colours of the market', async () => {
    const answer = await (await get({ cookie: 'theme=dark' })).text();
    const tokens = readFileSync(
      new URL('../../site/src/styles/tokens.css', import.meta.url),
      'utf8',
    );
    const colours = [...tokens.matchAll(/--[a-z-]+: #[0-9a-f]+;/g)];
    expect(colours.length).toBeGreaterThan(40);
    for (const [colour] of colours) expect(answer).toContain(colour);
  });
});

describe('the OpenAPI document', () => {
  test('promises the one shape of a refusal, also for wrong input', async () => {
    const { body } = await market.call<OpenApi>('/api/openapi.json');
    expect(body.paths['/api/products']?.post?.responses[400]?.content).toEqual({
      'application/json': { schema: { $ref: '#/components/schemas/Error' } },
    });
    expect(JSON.stringify(body)).not.toContain('"success"');
    const refused = await market.call<{ error: { code: string; fields: unknown[] } }>(
      '/api/errors',
      { json: {} },
    );
    expect([refused.status, refused.body.error.code, refused.body.error.fields.length > 0]).toEqual(
      [400, 'validation', true],
    );
  });
});

test('a schema is put into words', () => {
  expect(typeOf({ type: 'array', items: { type: 'integer' } })).toBe('list of whole number');
  expect(typeOf({ anyOf: [{ type: 'string' }, { type: 'null' }] })).toBe('text or null');
  expect(typeOf({ type: ['string', 'null'], format: 'uuid' })).toBe('uuid or null');
  expect(typeOf({ const: 'yes' })).toBe('"yes"');
  expect(typeOf({})).toBe('anything');
  expect(rulesOf({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER })).toEqual([
    'at least 1',
  ]);
  expect(rulesOf({ type: 'string', pattern: '^a$', maxLength: 3 })).toEqual([
    'at most 3 characters',
    'matches ^a$',
  ]);
  expect(
    fieldsOf({
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'array', items: { type: 'object', properties: { b: { type: 'boolean' } } } },
      },
    }),
  ).toEqual([
    { name: 'a', type: 'list of object', required: true, rules: [] },
    { name: 'a[].b', type: 'true or false', required: false, rules: [] },
  ]);
});
