import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { afterAll, describe, expect, test } from 'vitest';
import { schema } from '../../db/client.ts';
import { actors, type Person } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { googleProvider } from '../support/googleProvider.ts';
import { Jar } from '../support/jar.ts';
import { live, productRow } from '../support/products.ts';

const google = await googleProvider();
const market = await testApp({ env: google.env });
afterAll(() => google.stop());
const who = await actors(market);

const tables = Object.values(schema).flatMap((entry) =>
  is(entry, PgTable) ? [getTableName(entry)] : [],
);
/** A checksum of each table's rows, but for the reports of chat networks' own processes. */
async function everything(): Promise<Record<string, string>> {
  const parts = tables
    .filter((name) => name !== 'chat_channels')
    .map(
      (name) =>
        `select '${name}' as name, coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as sum from "${name}" t`,
    );
  const rows = await market.sql.unsafe<{ name: string; sum: string }[]>(parts.join(' union all '));
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]));
}
const head = (path: string, as: { jar: Jar } = { jar: new Jar() }) =>
  market.request(path, { method: 'HEAD', as });
const ask = async (person: Person) =>
  (
    await market.call<{ id: string }>('/api/account/export', {
      json: { password: person.password },
      as: person,
    })
  ).body.id;

describe('HEAD on the link of an export', () => {
  test('answers its headers and leaves it to be used once', async () => {
    const path = `/api/account/export/${await ask(who.seller)}`;
    for (let times = 0; times < 3; times++) {
      const answer = await head(path, who.seller);
      expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
        200,
        'application/zip',
        '',
      ]);
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="marche54-/);
    }
    const answer = await market.request(path, { as: who.seller });
    expect([answer.status, (await answer.arrayBuffer()).byteLength > 500]).toEqual([200, true]);
    expect([
      (await head(path, who.seller)).status,
      (await market.request(path, { as: who.seller })).status,
    ]).toEqual([410, 410]);
  });

  test('says no more to others than GET does', async () => {
    const path = `/api/account/export/${await ask(who.member)}`;
    expect([(await head(path, who.seller)).status, (await head(path)).status]).toEqual([410, 401]);
    market.clock.advance({ minutes: 6 });
    expect((await head(path, who.member)).status).toBe(410);
  });
});

test('HEAD neither begins a sign-in with Google nor ends one', async () => {
  google.is({ sub: 'sub-of-ada', email: 'ada@example.test', email_verified: true, name: 'Ada' });
  const jar = new Jar();
  const before = await everything();
  const begun = await head('/api/auth/google?door=member', { jar });
  expect([begun.status, begun.headers.get('location'), begun.headers.getSetCookie()]).toEqual([
    204,
    null,
    [],
  ]);
  expect(await everything()).toEqual(before);
  const start =
    (await market.request('/api/auth/google?door=member', { as: { jar } })).headers.get(
      'location',
    ) ?? '';
  const back = await google.pass(start);
  const waiting = await everything();
  for (let times = 0; times < 2; times++) expect((await head(back, { jar })).status).toBe(204);
  expect(await everything()).toEqual(waiting);
  expect((await market.request(back, { as: { jar } })).headers.get('location')).not.toContain(
    'google=',
  );
  expect((await market.call<{ role: string }>('/api/auth/me', { as: { jar } })).body.role).toBe(
    'member',
  );
});

test('HEAD on any address that GET knows writes nothing', async () => {
  const { id, slotId } = await live(market, who.seller, who.admin);
  const { slug } = await productRow(market, id);
  const exportId = await ask(who.otherSeller);
  const given: Record<string, string> = {
    slotId: String(slotId),
    slug,
    reference: 'abcd2345',
    number: '1',
    file: `${id}-en.jpg`,
    ref: 'a'.repeat(16),
  };
  const paths = market.app.routes
    .filter(({ method, path }) => method === 'GET' && !path.endsWith('/live'))
    .map(({ path }) =>
      path.includes('/export/')
        ? path.replace(':id', exportId)
        : path.replace(/:(\w+)/g, (_, name: string) => given[name] ?? id),
    );
  // The first looks create a ledger account, and the key that push services know.
  for (const path of ['/api/credits', '/api/push'])
    for (const as of [who.otherSeller, who.admin]) await market.request(path, { as });
  const before = await everything();
  for (const as of [who.otherSeller, who.admin])
    await Promise.all(
      [...new Set(paths)].map(async (path) =>
        expect((await head(path, as)).status, path).toBeLessThan(500),
      ),
    );
  expect(await everything()).toEqual(before);
});
