import { beforeEach, expect, test } from 'vitest';
import { endToken } from '../../api/alerts/endFromMail.ts';
import { ownAlerts } from '../../api/alerts/reads.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { Jar } from '../support/jar.ts';

const market = await testApp();
const { member, seller } = await actors(market);
beforeEach(() => market.reset());

const own = async () => ownAlerts(await market.ctx(member));
const send = async (path: string, fields: Record<string, string>, as: { jar: Jar } = member) => {
  const { status, headers } = await market.request(`${path}?language=fr`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    as,
  });
  return [status, headers.get('location')];
};

test('forms make, change and end an alert; a visitor signs in first and comes back', async () => {
  expect(await send('/alerts', { search: 'q=pagne' }, { jar: new Jar() })).toEqual([
    303,
    '/fr/sign-in?next=%2Ffr%2Fmarket%3Fq%3Dpagne',
  ]);
  expect(await send('/alerts', { search: 'q=pagne' })).toEqual([303, '/fr/alerts?said=added']);
  expect(await send('/alerts', { search: '' })).toEqual([303, '/fr/alerts?said=alerts.empty']);
  expect(await send('/alerts', { shop: 'nobody' })).toEqual([
    303,
    '/fr/alerts?said=sellers.shopNotFound',
  ]);
  const [{ id } = { id: '' }] = await own();
  expect(await send(`/alerts/${id}`, { act: 'pace', pace: 'week' })).toEqual([
    303,
    '/fr/alerts?said=pace',
  ]);
  expect(await own()).toMatchObject([{ pace: 'week' }]);
  expect(await send('/alerts/channel', { channel: 'email' })).toEqual([
    303,
    '/fr/alerts?said=channel',
  ]);
  await send(`/alerts/${id}`, { act: 'end' }, seller);
  expect(await own()).toHaveLength(1);
  await send(`/alerts/${id}`, { act: 'end' });
  expect(await own()).toEqual([]);
});

test('a mail program ends an alert by one POST without cookie or Origin, whatever its body', async () => {
  for (const body of [
    new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    (() => {
      const form = new FormData();
      form.set('List-Unsubscribe', 'One-Click');
      return form;
    })(),
    undefined,
  ]) {
    await send('/alerts', { search: 'q=pagne' });
    const [{ id } = { id: '' }] = await own();
    const path = `/alerts/end/${endToken(market, id)}`;
    const { status, headers } = await market.request(path, {
      method: 'POST',
      ...(body && { body }),
    });
    expect([status, headers.get('location')]).toEqual([200, null]);
    expect(await own()).toEqual([]);
  }
  const unknown = await market.request('/alerts/end/made.up', { method: 'POST' });
  expect([unknown.status, await unknown.text()]).toEqual([200, '']);
  const page = await market.request('/alerts/end/made.up?page&language=fr', { method: 'POST' });
  expect([page.status, page.headers.get('location')]).toEqual([303, '/fr/alerts/end/done']);
});
