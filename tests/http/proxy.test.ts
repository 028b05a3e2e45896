import { expect, test } from 'vitest';
import { testApp } from '../support/app.ts';

const report = { kind: 'error', message: 'x', page: '/' };

test('behind a trusted proxy a visitor cannot pretend to be at another address', async () => {
  const market = await testApp({ env: { TRUST_PROXY: '1' } });
  const statuses: number[] = [];
  // The proxy appends the real address; the values before it are forged.
  for (let i = 0; i < 201; i++)
    statuses.push(
      (
        await market.call('/api/errors', {
          json: report,
          headers: { 'x-forwarded-for': `203.0.113.${i}, 198.51.100.7` },
        })
      ).status,
    );
  expect(statuses.at(-1)).toBe(429);
  expect(
    (
      await market.call('/api/errors', {
        json: report,
        headers: { 'x-forwarded-for': '198.51.100.8' },
      })
    ).status,
  ).toBe(202);
});

test('without a trusted proxy the header counts for nothing', async () => {
  const market = await testApp();
  const statuses: number[] = [];
  for (let i = 0; i < 201; i++)
    statuses.push(
      (
        await market.call('/api/errors', {
          json: report,
          headers: { 'x-forwarded-for': `203.0.113.${i}` },
        })
      ).status,
    );
  expect(statuses.at(-1)).toBe(429);
});

test('behind a CDN whose networks are named, each visitor counts alone', async () => {
  const market = await testApp({ env: { TRUST_PROXY: '1', TRUSTED_PROXIES: '203.0.113.0/24' } });
  const send = async (forwarded: string) =>
    (
      await market.call('/api/errors', {
        json: report,
        headers: { 'x-forwarded-for': forwarded },
      })
    ).status;
  const statuses: number[] = [];
  for (let i = 0; i < 201; i++)
    statuses.push(await send(`198.51.100.9, 198.51.100.7, 203.0.113.${i}`));
  expect(statuses.at(-1)).toBe(429);
  expect(await send('198.51.100.8, 203.0.113.1')).toBe(202);
});
