import { beforeEach, expect, test } from 'vitest';
import { addAlert } from '../../api/alerts/add.ts';
import { changeAlert } from '../../api/alerts/change.ts';
import { endToken } from '../../api/alerts/endFromMail.ts';
import { ownAlerts } from '../../api/alerts/reads.ts';
import { mostWithoutAccount } from '../../api/alerts/rules.ts';
import { actors, signUpMember } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { Jar } from '../support/jar.ts';
import { live } from '../support/products.ts';

const market = await testApp();
const { member, seller, admin } = await actors(market);
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

test('forms make, change and end an alert', async () => {
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

test('a visitor’s alerts stay in the browser, tell what went live since, and move at sign-in', async () => {
  const jar = new Jar();
  const device = async () =>
    (await (await market.request('/api/alerts/device', { as: { jar } })).json()).alerts;
  expect(await send('/alerts', { search: 'q=Pagne&sort=price' }, { jar })).toEqual([
    303,
    '/fr/alerts?said=addedHere',
  ]);
  await send('/alerts', { search: 'page=2&q=Pagne' }, { jar });
  await send('/alerts', { search: 'category=automotive' }, { jar });
  for (const [fields, code] of [
    [{ search: 'q=%21' }, 'alerts.empty'],
    [{ shop: 'nobody' }, 'sellers.shopNotFound'],
  ] as const)
    expect(await send('/alerts', fields, { jar })).toEqual([303, `/fr/alerts?said=${code}`]);
  market.clock.advance({ minutes: 1 });
  const wax = { name: { en: 'Wax', fr: 'Pagne wax' } };
  await live(market, seller, admin, wax);
  expect(await device()).toMatchObject([
    { search: 'q=Pagne', shop: '', open: true, fresh: 1 },
    { search: 'category=automotive', fresh: 0 },
  ]);
  expect(await send('/alerts/device', { search: 'q=Pagne', act: 'open' }, { jar })).toEqual([
    303,
    '/fr/market?q=Pagne&sort=newest',
  ]);
  expect(await device()).toMatchObject([{ fresh: 0 }, { fresh: 0 }]);
  await send('/alerts/device', { search: 'category=automotive', act: 'end' }, { jar });
  expect(await device()).toHaveLength(1);
  const person = await signUpMember(market);
  const before = await addAlert(await market.ctx(person), {
    search: 'q=Pagne',
    shop: '',
    pace: 'day',
  });
  await changeAlert(await market.ctx(person), before, { act: 'pause', pace: 'day' });
  const { status } = await market.request('/api/auth/sign-in', {
    method: 'POST',
    json: { email: person.email, password: person.password },
    as: { jar },
  });
  expect(status).toBe(200);
  expect(await ownAlerts(await market.ctx(person))).toMatchObject([
    { path: '/market?q=Pagne', pace: 'day', paused: true },
  ]);
  expect(await device()).toEqual([]);
});

test(`a browser keeps ${mostWithoutAccount} alerts, and no more than a cookie holds`, async () => {
  const jar = new Jar();
  for (let n = 0; n < mostWithoutAccount; n++)
    await send('/alerts', { search: `q=pagne&max=${n + 1}` }, { jar });
  const full = [303, '/fr/alerts?said=alerts.tooMany'];
  expect(await send('/alerts', { search: 'q=wax' }, { jar })).toEqual(full);
  expect(await send('/alerts', { search: 'q=pagne&max=1' }, { jar })).toEqual([
    303,
    '/fr/alerts?said=addedHere',
  ]);
  const other = { jar: new Jar() };
  const long = (letter: string) => ({ search: `q=${letter.repeat(200)}` });
  expect(await send('/alerts', long('é'), other)).toEqual([303, '/fr/alerts?said=addedHere']);
  expect(await send('/alerts', long('è'), other)).toEqual(full);
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
