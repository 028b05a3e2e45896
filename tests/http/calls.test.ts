import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { testApp } from '../support/app.ts';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/calls.md', root), 'utf8');
const { app } = await testApp();

/** Table rows of the page: call, routes, code. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Call |'))
  .map((line) => {
    const [call = '', routes = '', code = ''] = line
      .slice(1)
      .split('|')
      .map((cell) => cell.trim());
    const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
    return { call, routes, named: quoted(routes), code: quoted(code) };
  });
const existing = new Set(
  app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`),
);

/** Every call that product §7 names. */
const names = [
  'get_homepage_products',
  'check_contact_rate_limit',
  'request_seller_contact',
  'is_admin',
  'get_incomplete_products',
  'revalidate_product_completeness',
  'redis_queue_push',
  'get_cleanup_stats',
  'send-notification',
  'cleanup-expired-products',
  'process-queue',
  'redis_queue_remove',
  'redis_queue_length',
  'signUp',
  'signInWithPassword',
  'getSession',
  'getUser',
  'signOut',
  'onAuthStateChange',
  'verifyOtp',
  'spend_credits',
  'get_user_credit_balance',
  'check_weekly_purchase_limit',
  'add_credits_from_purchase',
];

/** Connect's former database calls, with their words on the page and today's route, if any. */
const connectCalls = [
  [
    'Select `connect_posts` with their responses, active, by `updated_at`',
    'GET /api/connect/posts',
  ],
  ['Insert into `connect_posts`', 'POST /api/connect/posts'],
  ['Delete from `connect_posts` by id (rollback)', undefined],
  ['Update of `status` by id', 'PUT /api/connect/posts/{reference}/status'],
  ['Update of `view_count` by id', 'POST /api/connect/posts/{reference}/views'],
  ['Select `connect_responses` by `post_id`, newest first', 'GET /api/connect/posts/{reference}'],
  ['Insert of a response', 'POST /api/connect/posts/{reference}/responses'],
  [
    'WhatsApp link with the post’s title and its reference',
    'POST /api/connect/posts/{reference}/responses',
  ],
  ['Updates of a post, in memory', 'POST /api/connect/posts/{reference}/updates'],
  ['Insert into `credit_purchases`', 'POST /api/credits/purchases'],
  [
    'Update of a purchase (`status`, `completed_at`, `payment_reference`) by id',
    'POST /api/admin/credits/purchases/{id}/settle',
  ],
  ['`spend_credits`', undefined],
  ['`get_user_credit_balance`', 'GET /api/credits'],
  ['`check_weekly_purchase_limit`', 'GET /api/credits/weekly-limit'],
  ['`add_credits_from_purchase`', undefined],
] as const;

describe('docs/calls.md', () => {
  test.each(connectCalls)('has Connect’s %s at %s', (call, route) => {
    const found = rows.filter((row) => row.call === call);
    expect(found).toHaveLength(1);
    if (route) expect(found[0]?.named).toContain(route);
    else expect(found[0]?.routes).toMatch(/^none: /);
  });

  test('has every call of the original design, once each', () => {
    const calls = rows.map(({ call }) => call);
    for (const name of names)
      expect(
        calls.filter((call) => call === `\`${name}\``),
        name,
      ).toHaveLength(1);
    expect(new Set(calls).size).toBe(calls.length);
    expect(rows.length).toBeGreaterThan(60);
  });

  test.each(rows)(
    '$call: its route exists, or there is none and it says why',
    ({ routes, named }) => {
      if (named.length === 0) expect(routes).toMatch(/^none: \w+/);
      for (const route of named) expect(existing.has(route), route).toBe(true);
    },
  );

  test.each(rows)('$call: its code exists under its name', ({ code }) => {
    expect(code.length).toBeGreaterThan(0);
    for (const entry of code) {
      const [file = '', name = ''] = entry.split('#');
      expect(existsSync(new URL(file, root)), file).toBe(true);
      expect(readFileSync(new URL(file, root), 'utf8'), entry).toMatch(
        new RegExp(`export (async )?(function|const) ${name}\\b`),
      );
    }
  });
});
