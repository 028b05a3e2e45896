import { expect, test } from 'vitest';
import type { OpenApi } from '../../api/docs/openapi.ts';
import { lastPage } from '../../api/shared/paging.ts';
import { signInAdmin, signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';

const market = await testApp();

test('every list that is read by pages refuses one behind the last, and answers the last', async () => {
  const admin = await signInAdmin(market);
  const seller = await signUpSeller(market);
  const { body } = await market.call<OpenApi>('/api/openapi.json');
  const all = Object.entries(body.paths).filter(([, { get }]) =>
    get?.parameters?.some(({ name }) => name === 'page'),
  );
  // The market's search answers the last page instead, and says so (tests/verbs/search).
  expect(all.map(([path]) => path)).toContain('/api/market/search');
  const lists = all.filter(([path]) => path !== '/api/market/search');
  expect(lists.map(([path]) => path.replace('/api/admin/', '')).sort()).toEqual([
    '/api/credits/purchases',
    '/api/products/mine',
    'audit',
    'connect/posts',
    'credits/purchases',
    'fees',
    'integrity',
    'products/pending',
    'queue',
    'reports',
    'reports/closed',
    'reports/shops',
    'sellers',
    'sellers/barred',
  ]);
  for (const [path] of lists) {
    const ask = (page: unknown) =>
      market.call<{ page: number; error: { fields: { path: string }[] } }>(
        `${path}?page=${page}${path.endsWith('queue') ? '&queueName=queue:regular' : ''}`,
        {
          as: path.startsWith('/api/admin/') ? admin : seller,
        },
      );
    for (const page of [1e15, lastPage + 1, 0, -1, 1.5, '']) {
      const { status, body: refused } = await ask(page);
      expect([status, refused.error?.fields.map((field) => field.path)], `${path} ${page}`).toEqual(
        [400, ['page']],
      );
    }
    const { status, body: last } = await ask(lastPage);
    expect([status, last.page], path).toEqual([200, lastPage]);
  }
});
