import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { source } from '../support/processes.ts';
import { textOf } from '../support/repository.ts';
import { servedMarket } from '../support/served.ts';

const https = await servedMarket({ env: { PUBLIC_URL: 'https://market.test' } });
const http = await servedMarket({ env: { PUBLIC_URL: 'http://market.test' } });
const file = `/_astro/${readdirSync(source('site/dist/client/_astro')).find((name) => name.endsWith('.js'))}`;
const year = 'max-age=31536000';

type Market = typeof https;
const asked: Record<string, (market: Market) => ReturnType<Market['get']>> = {
  'a page': (market) => market.get('/en/forgot-password', { accept: 'text/html' }),
  'a page that is kept': (market) => market.get('/en', { accept: 'text/html' }),
  'the same from memory': (market) => market.get('/en', { accept: 'text/html' }),
  'HEAD of it': (market) => market.get('/en', { accept: 'text/html' }, 'HEAD'),
  'a page that did not change': async (market) => {
    const { headers } = await market.get('/en', { accept: 'text/html' });
    return market.get('/en', { accept: 'text/html', 'if-none-match': String(headers.etag?.[0]) });
  },
  'a file of the site': (market) => market.get(file),
  'a page that is not there': (market) => market.get('/nope', { accept: 'text/html' }),
  'a photo that is not there': (market) => market.get('/media/products/none.webp'),
  'a redirect': (market) =>
    market.post('/preferences', 'application/x-www-form-urlencoded', 'theme=dark'),
  'an answer of the API': (market) => market.get('/api/market'),
  'a refusal of the API': (market) => market.get('/api/admin/dashboard'),
  'a probe': (market) => market.get('/healthz'),
  'a body that is too large': (market) =>
    market.post('/api/auth/sign-in', 'application/json', 'x'.repeat(40_000)),
  'an address that is none': (market) => market.raw('GET /en HTTP/1.1\r\nHost: a b'),
};

describe.each(Object.keys(asked))('%s', (name) => {
  test('binds browsers to https for a year where the market is at https, once, and not where it is at http', async () => {
    expect((await asked[name]?.(https))?.headers['strict-transport-security']).toEqual([year]);
    expect((await asked[name]?.(http))?.headers['strict-transport-security']).toBeUndefined();
  });
});

test('the samples of proxies say it in the market’s place, and never twice', () => {
  const caddy = textOf('deploy/Caddyfile');
  const nginx = textOf('deploy/nginx.conf');
  // `?` sets only a missing header; plain http gets none.
  expect(caddy.match(/^\s*header @https \?Strict-Transport-Security "(.*)"$/gm)).toHaveLength(2);
  expect(caddy).toContain('@https protocol https');
  expect(nginx.match(/Strict-Transport-Security/g)).toHaveLength(2);
  const site = nginx.slice(nginx.indexOf('listen 443'));
  expect(site).toContain('proxy_hide_header Strict-Transport-Security;');
  expect(site).toContain(`add_header Strict-Transport-Security "${year}" always;`);
  // An nginx block with headers of its own inherits none.
  expect(nginx.match(/add_header/g)).toHaveLength(1);
  for (const text of [caddy, nginx]) expect(text).not.toMatch(/includeSubDomains|preload/i);
});
