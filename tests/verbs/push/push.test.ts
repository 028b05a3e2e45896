import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { addAlert } from '../../../api/alerts/add.ts';
import { ownChannels } from '../../../api/alerts/reads.ts';
import { tellAlerts } from '../../../api/alerts/tell.ts';
import { keep } from '../../../api/favourites/keep.ts';
import { tellFavourites } from '../../../api/favourites/tell.ts';
import { readEnv } from '../../../api/ops/env.ts';
import { createDelivery } from '../../../api/outbox/delivery.ts';
import { mostADay } from '../../../api/people/daily.ts';
import { pushPost } from '../../../api/push/deliver.ts';
import { isKnownEndpoint, longestEndpoint } from '../../../api/push/rules.ts';
import { writeSetting } from '../../../api/settings/values.ts';
import { productCode } from '../../../api/shared/slugs/productCode.ts';
import { schema } from '../../../db/client.ts';
import { actors, type Person, signUpMember } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { type Browser, browserAt, pushService } from '../../support/browsers.ts';
import { Jar } from '../../support/jar.ts';
import { live } from '../../support/products.ts';

const service = await pushService();
const market = await testApp({
  pushFetch: service.fetch,
  env: { TELEGRAM_BOT_TOKEN: `1:${'x'.repeat(30)}` },
});
const { visitor, seller, admin } = await actors(market);
const { outbox, pushSubscriptions, secrets } = schema;
const phone = { name: { en: 'Phone Tecno', fr: 'Téléphone Tecno' }, price: 45_000 };
let member: Person;
beforeEach(async () => {
  await market.reset();
  member = await signUpMember(market, { language: 'fr' });
  for (const list of [service.arrived, service.answers, service.called]) list.length = 0;
});
afterAll(() => service.stop());

const put = (as: { jar: Jar }, { endpoint, keys }: Browser, renews = false) =>
  market.call('/api/push', { method: 'PUT', as, json: { endpoint, keys, renews } });
/** Subscribes a browser of the person. */
async function subscribed(as: { jar: Jar } = member, browser = browserAt()): Promise<Browser> {
  service.add(browser);
  expect((await put(as, browser)).status).toBe(200);
  return browser;
}
/** Another session of the person. */
async function another({ email, password }: Person): Promise<{ jar: Jar }> {
  const as = { jar: new Jar() };
  const json = { email, password };
  const language = 'fr';
  expect((await market.request('/api/auth/sign-in', { json, as, language })).status).toBe(200);
  return as;
}
const want = async (search = 'q=phone') =>
  addAlert(await market.ctx(member), { search, shop: '', pace: 'now' });
const tell = () => tellAlerts(market.job('tell-alerts'));
async function deliver(): Promise<{ sent: number; failed: number }> {
  const delivery = createDelivery(market.job('deliver-outbox'), pushPost);
  delivery.wake();
  await delivery.idle();
  return delivery.count;
}
const left = () => market.db.$count(pushSubscriptions);
const channels = async () => {
  const told = market.db.select().from(outbox).where(eq(outbox.kind, 'alertFits'));
  return (await told.orderBy(outbox.turn)).map(({ channel }) => channel);
};

const known = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
];

test.each([
  // As browsers name them.
  ['https://fcm.googleapis.com/fcm/send/dHJ5LWl0:APA91bH-_x', true],
  ['https://updates.push.services.mozilla.com/wpush/v2/gAAAAABn-x_y', true],
  ['https://web.push.apple.com/QGk7-x', true],
  ['https://wns2-par02p.notify.windows.com/w/?token=BQYAAAB%2fx%3d', true],
  ['https://FCM.googleapis.com:443/fcm/send/x', true],
  // As an attacker would.
  ['http://fcm.googleapis.com/fcm/send/x', false],
  ['https://fcm.googleapis.com:8443/x', false],
  ['https://fcm.googleapis.com.evil.example/x', false],
  ['https://fcm.googleapis.com./x', false],
  ['https://evil.example/fcm.googleapis.com', false],
  ['https://fcm.googleapis.com@evil.example/', false],
  ['https://me:pass@fcm.googleapis.com/', false],
  ['https://push.apple.com/x', false],
  ['https://.push.apple.com/x', false],
  ['https://evilpush.apple.com/x', false],
  ['https://127.0.0.1/x', false],
  ['https://[::1]/x', false],
  ['https://169.254.169.254/latest/meta-data', false],
  ['file:///etc/passwd', false],
  ['fcm.googleapis.com/x', false],
  ['', false],
  [`https://fcm.googleapis.com/${'x'.repeat(longestEndpoint)}`, false],
])('the address %s is a known push service: %s', (endpoint, is) => {
  expect(isKnownEndpoint(endpoint, known)).toBe(is);
});

test('the known services are a setting', () => {
  const services = (PUSH_SERVICES: string) => readEnv({ PUSH_SERVICES }).PUSH_SERVICES;
  expect(services('')).toContain('fcm.googleapis.com');
  expect(services('push.example.org, *.push.example.com')).toEqual([
    ...['push.example.org', '*.push.example.com'],
  ]);
  expect(services('none')).toEqual([]);
  for (const wrong of ['https://push.example.org', 'example', '*', '*.*.com', 'a.example.org:443'])
    expect(() => services(wrong)).toThrow('PUSH_SERVICES: must be none, or host names');
});

describe('a browser', () => {
  test('is told by an encrypted message that lasts no longer than its listing, on each device', async () => {
    const [first, second] = [await subscribed(), await subscribed(await another(member))];
    await want();
    const product = await live(market, seller, admin, phone);
    await tell();
    expect(await channels()).toEqual(['push']);
    expect(await deliver()).toEqual({ sent: 1, failed: 0 });
    expect(service.arrived.map(({ endpoint }) => endpoint).toSorted()).toEqual(
      [first.endpoint, second.endpoint].toSorted(),
    );
    const [message] = service.arrived;
    expect(JSON.parse(message?.text ?? '')).toMatchObject({
      title: expect.stringContaining('phone'),
      body: expect.stringMatching(/^Téléphone Tecno · /),
      language: 'fr',
      path: expect.stringMatching(new RegExp(`^/fr/shop/${product.slotId}/`)),
      end: { label: expect.any(String), path: expect.stringMatching(/^\/alerts\/end\//) },
    });
    expect(message?.ttl).toBeLessThanOrEqual(
      (product.endTime.getTime() - market.clock.now().getTime()) / 1000,
    );
    expect(message?.claims).toMatchObject({ aud: 'https://fcm.googleapis.com' });
    expect(message?.claims.sub).toMatch(/^mailto:.+@/);
  });

  test('is told what ends among the favourites, and three messages a day in all', async () => {
    await subscribed();
    const product = await live(market, seller, admin, phone);
    await keep(await market.ctx(member), productCode(product.id), []);
    market.clock.set(new Date(product.endTime.getTime() - 3_600_000));
    await tellFavourites(market.job('tell-favourites'));
    await deliver();
    expect(service.arrived).toMatchObject([{ ttl: 3600 }]);
    for (const n of ['one', 'two', 'three', 'four']) {
      await want(`q=${n}`);
      await live(market, seller, admin, { name: { en: n, fr: n } });
      await tell();
    }
    await deliver();
    expect(service.arrived).toHaveLength(mostADay);
  });

  test('is told nothing that has ended before it was sent', async () => {
    await subscribed();
    await want();
    const product = await live(market, seller, admin, phone);
    await tell();
    market.clock.set(product.endTime);
    await deliver();
    expect(service.called).toEqual([]);
    expect(await channels()).toEqual([]);
    expect(await left()).toBe(1);
  });

  test('is sent no more than a push service takes, in whole letters', async () => {
    await subscribed();
    const name = '🧵'.repeat(100);
    await want(`q=${encodeURIComponent(`phone ${'ሀ'.repeat(190)}`)}`);
    await market.db.update(schema.alerts).set({ words: sql`search_query(array['phone'])` });
    for (const _ of [1, 2, 3]) await live(market, seller, admin, { name: { en: `phone ${name}` } });
    await tell();
    await deliver();
    const [{ text } = { text: '' }] = service.arrived;
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3993);
    expect(text.isWellFormed()).toBe(true);
  });

  test('belongs to who made it: to a session, until that ends, and to one person', async () => {
    const browser = await subscribed();
    expect(await ownChannels(await market.ctx(member))).toMatchObject({ chosen: 'push' });
    await market.request('/api/auth/sign-out', { method: 'POST', as: member });
    expect(await left()).toBe(0);

    const next = await signUpMember(market);
    const again = await another(member);
    await subscribed(again, browser);
    await subscribed(next, browser);
    expect(await left()).toBe(1);
    expect(await ownChannels(await market.ctx(again))).toMatchObject({ channels: ['email'] });
    expect((await market.call('/api/push', { as: next })).body).toMatchObject({ here: true });
    await market.request('/api/push', { method: 'DELETE', as: again });
    expect(await left()).toBe(1);
    await market.request('/api/push', { method: 'DELETE', as: next });
    expect(await left()).toBe(0);
  });

  test('may change its address, once it is told; nobody else’s change makes it told', async () => {
    const [browser, next] = [browserAt(), browserAt()];
    expect((await put(member, browser, true)).status).toBe(401);
    await subscribed(member, browser);
    await market.db.update(schema.user).set({ toldBy: 'email' });
    expect((await put(member, next, true)).status).toBe(200);
    expect(await left()).toBe(1);
    expect(await ownChannels(await market.ctx(member))).toMatchObject({ chosen: 'email' });
  });

  test('is refused with a forged address or key, without a session, and where it is switched off', async () => {
    const browser = browserAt('https://127.0.0.1/x');
    expect(await put(member, browser)).toMatchObject({ status: 400 });
    for (const p256dh of ['AAAA', `B${'A'.repeat(86)}`]) {
      const wrong = { ...browserAt(), keys: { ...browser.keys, p256dh } };
      expect(await put(member, wrong)).toMatchObject({ status: 400 });
    }
    expect(await put(visitor, browserAt())).toMatchObject({ status: 401 });
    await writeSetting(market.job('x'), 'offlinePages', false);
    expect((await market.call('/api/push', { as: member })).body).toMatchObject({ key: null });
    expect(await put(member, browserAt())).toMatchObject({ status: 409 });
    expect(await left()).toBe(0);
  });
});

describe('a message that does not arrive', () => {
  const ready = async () => {
    await subscribed();
    await want();
    await live(market, seller, admin, phone);
    await tell();
  };

  test.each([404, 410])('ends a browser that is gone (%i), and goes by mail', async (status) => {
    await ready();
    service.answers.push(status);
    expect(await deliver()).toEqual({ sent: 0, failed: 1 });
    expect(await left()).toBe(0);
    market.clock.advance({ minutes: 1 });
    expect(await tell()).toEqual({ told: 1 });
    expect(await channels()).toEqual(['push', 'email']);
    // A later subscription is another browser.
    await subscribed();
    await live(market, seller, admin, phone);
    await tell();
    expect(await channels()).toEqual(['push', 'email', 'push']);
  });

  test('is told by mail if it is of favourites, once', async () => {
    await subscribed();
    const product = await live(market, seller, admin, phone);
    await keep(await market.ctx(member), productCode(product.id), []);
    market.clock.set(new Date(product.endTime.getTime() - 20 * 3_600_000));
    const tellNow = () => tellFavourites(market.job('tell-favourites'));
    await tellNow();
    service.answers.push(410);
    await deliver();
    market.clock.advance({ hours: 10 });
    expect(await tellNow()).toEqual({ told: 1 });
    expect((await market.mails.lastTo(member.email)).text).toContain('Téléphone Tecno');
    expect(await tellNow()).toEqual({ told: 0 });
  });

  test('is tried again after a fault of the service, at the time that it names', async () => {
    await ready();
    service.answers.push(
      500,
      new Response(null, { status: 429, headers: { 'retry-after': '90' } }),
    );
    await deliver();
    expect(await deliver()).toEqual({ sent: 0, failed: 0 });
    market.clock.advance({ seconds: 30 });
    await deliver();
    market.clock.advance({ seconds: 89 });
    expect(await deliver()).toEqual({ sent: 0, failed: 0 });
    market.clock.advance({ seconds: 1 });
    expect(await deliver()).toEqual({ sent: 1, failed: 0 });
    expect(await left()).toBe(1);
  });

  test('is sent once to the browser that takes it, whatever becomes of another', async () => {
    await subscribed(await another(member));
    await ready();
    service.answers.push(500);
    expect(await deliver()).toEqual({ sent: 1, failed: 0 });
    expect(service.arrived).toHaveLength(1);
  });

  test('follows no redirect', async () => {
    await ready();
    service.answers.push(
      new Response(null, { status: 307, headers: { location: 'http://127.0.0.1:1/' } }),
    );
    expect(await deliver()).toEqual({ sent: 0, failed: 1 });
    expect(service.called).toHaveLength(1);
    const [row] = await market.db.select().from(outbox).where(eq(outbox.channel, 'push'));
    expect(row?.lastError).toMatch(/^fcm\.googleapis\.com could not be reached: \w+$/);
  });

  test.each([
    [
      'the market has lost its key',
      () => market.db.delete(secrets).where(eq(secrets.name, 'push')),
    ],
    [
      'the market has another secret',
      () => market.db.update(pushSubscriptions).set({ sealed: 'x' }),
    ],
    ['its service is no longer known', () => services(['updates.push.services.mozilla.com'])],
    [
      'the pages without a network are switched off',
      () => writeSetting(market.job('x'), 'offlinePages', false),
    ],
  ])('ends the browser if %s', async (_, change) => {
    await ready();
    const before = market.env.PUSH_SERVICES;
    await change();
    expect(await deliver()).toEqual({ sent: 0, failed: 1 });
    services(before);
    expect(service.called).toEqual([]);
    expect(await left()).toBe(0);
  });
});

const services = (known: string[]) => Object.assign(market.services.env, { PUSH_SERVICES: known });
