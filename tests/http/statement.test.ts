import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hidePost } from '../../api/connect/hide.ts';
import type { paidFor } from '../../api/connect/paid.ts';
import { publishPost } from '../../api/connect/publish.ts';
import { respond } from '../../api/connect/respond.ts';
import { newPost, newUpdate } from '../../api/connect/schema.ts';
import { addUpdate } from '../../api/connect/update.ts';
import { statementColumns } from '../../api/credits/schema.ts';
import { loadPages } from '../../api/pageRenderer.ts';
import { buyCredits } from '../../api/payments/buy.ts';
import { dictionaries } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { actors, type Person } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { grant, pay } from '../support/credits.ts';
import { filled } from '../support/requests.ts';

/** The credit statement: a page that the server renders whole, and its API requests. */
const market = await testApp({
  env: { DEMO: '1' },
  pages: await loadPages(new URL('../../site/dist/', import.meta.url)),
});
const { member, seller, admin, visitor } = await actors(market);
const key = () => randomUUID();
const post = (title: string) =>
  newPost.parse({
    title,
    description: 'Two days of work',
    category: 'repairs',
    contactWhatsapp: '+237699001234',
    tags: [],
  });
const open = async (address: string, as?: Person) => {
  const response = await market.request(address, {
    headers: { accept: 'text/html' },
    ...(as ? { as } : {}),
  });
  return { response, html: await response.text() };
};
const text = (html: string) =>
  html
    .replaceAll(/<(?:script|style)[\s\S]*?<\/(?:script|style)>|<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ');

await grant(market, member, 20);
await grant(market, seller, 20);
const asMember = await market.ctx(member);
const own = await publishPost(asMember, post('Paint a room'), key());
await addUpdate(asMember, own.reference, newUpdate.parse({ message: 'Still looking' }), key());
const others = await publishPost(await market.ctx(seller), post('Repair a roof'), key());
await respond(asMember, others.reference, key());
const gone = randomUUID();
await pay(asMember, 'post', gone);
const purchase = await buyCredits(asMember, 'cash_partner', key());

describe.each([...languages])('the page in %s', (language) => {
  const { statement, buy } = dictionaries[language].connect;

  test('has the balance, every entry with the way to what it was for, and the purchases', async () => {
    const { response, html } = await open(`/${language}/connect/credits`, member);
    expect(response.status).toBe(200);
    const words = text(html);
    for (const sentence of [
      filled(statement.balance_other, { count: 13 }),
      statement.forever,
      filled(statement.proof, { columns: statementColumns.length }),
      statement.spent.post,
      statement.spent.post_update,
      statement.spent.response,
      statement.gone,
      statement.kinds.correction,
      statement.states.pending,
      buy.methods.cash_partner,
      purchase.reference,
    ])
      expect(words, sentence).toContain(sentence.replaceAll(/\s+/g, ' '));
    expect(
      html.match(new RegExp(`href="/${language}/connect/${own.reference}"`, 'g')),
    ).toHaveLength(2);
    expect(html).toContain(`href="/${language}/connect/${others.reference}"`);
    expect(words).toContain('Repair a roof');
    // The sentence about the download matches its columns, and purchases have their own heading.
    const [header = ''] = (
      await (await market.request('/api/credits/statement.csv', { as: member })).text()
    ).split(/\r?\n/);
    const columns = header.replace(/^\ufeff/, '').split(',');
    for (const name of statement.proof.match(/[“«]\s*(\w+)\s*[”»]/g) ?? [])
      expect(columns).toContain(name.replaceAll(/\W/g, ''));
    expect(columns).toEqual([...statementColumns]);
    const [, bought = ''] = html.split('aria-labelledby="purchases"');
    expect(/<th [^>]*>([^<]*)</.exec(bought)?.[1]).toBe(statement.kinds.purchase);
    for (const link of ['href="?buy"', 'href="/api/credits/statement.csv"'])
      expect(html).toContain(link);
    expect(html).not.toContain('699001234');
  });

  test('sends whoever is not signed in to sign in, and back', async () => {
    const { response } = await open(`/${language}/connect/credits?buy`);
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      `/${language}/sign-in?next=${encodeURIComponent(`/${language}/connect/credits?buy`)}`,
    ]);
  });
});

test('a page of entries leads to the older ones, and odd addresses to the first', async () => {
  await grant(market, admin, 60);
  const asAdmin = await market.ctx(admin);
  for (let n = 0; n < 51; n++) await pay(asAdmin, 'response');
  const { statement } = dictionaries.en.connect;
  const first = await open('/en/connect/credits', admin);
  const [, older = ''] = /href="(\/en\/connect\/credits\?before=\d+)"/.exec(first.html) ?? [];
  expect(text(first.html)).not.toContain(statement.newest);
  const second = await open(older, admin);
  expect(text(second.html)).toContain(statement.newest);
  expect(text(second.html)).toContain(statement.kinds.correction);
  for (const odd of [
    '?before=0',
    '?before=x',
    '?before=99999999999',
    '?page=0',
    '?page=x',
    '?page=99999999',
  ])
    expect((await open(`/en/connect/credits${odd}`, admin)).response.status, odd).toBe(200);
});

describe('what was paid for', () => {
  type Paid = Awaited<ReturnType<typeof paidFor>>;
  const spends = async (as: Person) =>
    (await market.call<{ entries: { referenceId: string | null }[] }>('/api/credits', { as })).body
      .entries;
  const ask = (as: Person | typeof visitor, ids: string) =>
    market.call<Paid>(`/api/connect/paid?ids=${ids}`, { as });

  test('is told to whoever paid, and to nobody else', async () => {
    const ids = (await spends(member)).flatMap(({ referenceId }) => referenceId ?? []).join(',');
    const titles = (paid: Paid) => paid.map(({ title }) => title).sort();
    expect(titles((await ask(member, ids)).body)).toEqual([
      'Paint a room',
      'Paint a room',
      'Repair a roof',
    ]);
    expect((await ask(seller, ids)).body).toEqual([]);
    expect((await ask(visitor, ids)).status).toBe(401);
    for (const wrong of ['', 'x', `${gone},`, Array(51).fill(gone).join(',')])
      expect((await ask(member, wrong)).status, wrong.slice(0, 50)).toBe(400);
  });

  test('is not told of another’s post that the team took down', async () => {
    await hidePost(await market.ctx(admin), others.reference, {
      reason: 'No service',
      refund: false,
    });
    const ids = (await spends(member)).flatMap(({ referenceId }) => referenceId ?? []).join(',');
    expect((await ask(member, ids)).body.map(({ title }) => title)).not.toContain('Repair a roof');
    const ofSeller = (await spends(seller))
      .flatMap(({ referenceId }) => referenceId ?? [])
      .join(',');
    expect((await ask(seller, ofSeller)).body).toMatchObject([{ title: 'Repair a roof' }]);
  });
});
