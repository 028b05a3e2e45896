import type { Page } from 'playwright';
import { afterAll, expect, test } from 'vitest';
import { createDelivery } from '../../api/outbox/delivery.ts';
import { pushPost } from '../../api/push/deliver.ts';
import { schema } from '../../db/client.ts';
import { dictionaries } from '../../locales/index.ts';
import { signInAdmin, signUpMember, signUpSeller } from '../support/actors.ts';
import { browserAt, pushService } from '../support/browsers.ts';
import { openMarket } from '../support/market.ts';
import { live } from '../support/products.ts';
import { expectUsable, visitAs } from '../support/visits.ts';
import { button } from './wizard.ts';

/** Messages to a browser (docs/offline.md): a real worker, and a push service of our own. */
const service = await pushService();
const market = await openMarket();
Object.assign(market.services, { pushFetch: service.fetch });
const [seller, admin] = [await signUpSeller(market), await signInAdmin(market)];
afterAll(() => service.stop());

/** Plays the browser's part of a push service, which is out of reach, and counts its questions. */
async function subscribing(page: Page) {
  const browser = service.add(browserAt());
  const { endpoint, keys } = browser;
  await page.context().grantPermissions(['notifications'], { origin: market.url });
  await page.addInitScript(
    ([subscription, granted]) => {
      const key = () =>
        Uint8Array.from((localStorage.getItem('subscribed') ?? '').split(','), Number);
      const made = {
        toJSON: () => subscription,
        get options() {
          return { applicationServerKey: key().buffer };
        },
        unsubscribe: async () => localStorage.removeItem('subscribed'),
      };
      Object.assign(PushManager.prototype, {
        getSubscription: async () => (localStorage.getItem('subscribed') ? made : null),
        subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
          localStorage.setItem('subscribed', String(applicationServerKey));
          return made;
        },
      });
      let asked = 0;
      let permission = localStorage.getItem('subscribed') ? granted : 'default';
      // Without a window Chromium denies it, whatever was granted.
      Object.defineProperty(Notification, 'permission', {
        get: () => permission,
        configurable: true,
      });
      Object.assign(Notification, {
        requestPermission: async () => {
          asked++;
          permission = granted;
          return granted;
        },
      });
      Object.assign(window, { asked: () => asked });
    },
    [{ endpoint, keys }, 'granted'] as const,
  );
  return () => page.evaluate(() => (window as unknown as { asked(): number }).asked());
}

type Shown = { title: string; body: string; lang: string };
/** The worker of a page; what it shows is kept, since Chromium shows nothing without a window. */
async function workerOf(page: Page) {
  await page.evaluate(() => navigator.serviceWorker.ready);
  const [worker] = page.context().serviceWorkers();
  if (!worker) throw new Error('There is no worker');
  await worker.evaluate(() => {
    const own = globalThis as unknown as { registration: object; shown: unknown[] };
    own.shown = [];
    Object.assign(own.registration, {
      showNotification: async (title: string, options: object) =>
        void own.shown.push({ title, ...options }),
    });
  });
  return {
    shown: () => worker.evaluate(() => (globalThis as unknown as { shown: Shown[] }).shown),
    /** Taps a button of the last notification. */
    tap: (action: string) =>
      worker.evaluate((tapped) => {
        const { shown } = globalThis as unknown as { shown: object[] };
        const notification = { ...shown.at(-1), close() {} };
        const event = new Event('notificationclick');
        dispatchEvent(Object.assign(event, { action: tapped, notification, waitUntil() {} }));
      }, action),
    /** True once the worker has ended the browser's subscription. */
    async watchEnd() {
      await worker.evaluate(() => {
        const made = { unsubscribe: async () => Object.assign(globalThis, { ended: true }) };
        Object.assign(PushManager.prototype, { getSubscription: async () => made });
      });
      return () => worker.evaluate(() => (globalThis as unknown as { ended?: true }).ended);
    },
  };
}

/** Delivers what the push service has got, as the browser does. */
async function receive(page: Page): Promise<void> {
  const tools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((found) => {
    tools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [one] = registrations;
      if (one) found(one.registrationId);
    });
  });
  await tools.send('ServiceWorker.enable');
  const registrationId = await registered;
  for (const { text } of service.arrived.splice(0))
    await tools.send('ServiceWorker.deliverPushMessage', {
      ...{ origin: market.url, registrationId, data: text },
    });
}

test('a buyer is asked in a tap alone, is told in a closed market, and ends the alert by its button', async () => {
  const person = await signUpMember(market, { language: 'fr' });
  const page = await visitAs(market, person, { language: 'fr', serviceWorkers: 'allow' });
  const asked = await subscribing(page);
  const { alerts, push } = dictionaries.fr;
  const { stop } = alerts;
  await page.goto('/fr/market?q=robe');
  await page.locator('.tell button').click();
  await button(page, push.tell).waitFor();
  expect(await asked()).toBe(0);
  await expectUsable(page);
  await button(page, push.tell).click();
  await page.getByText(push.states.here).waitFor();
  expect(await asked()).toBe(1);
  await page.reload();
  await button(page, push.stop).waitFor();

  await live(market, seller, admin, { name: { en: 'Toghu gown', fr: 'Robe en toghu' } });
  await market.runNow('tell-alerts');
  const delivery = createDelivery(market.job('deliver-outbox'), pushPost);
  delivery.wake();
  await delivery.idle();
  expect(delivery.count).toEqual({ sent: 1, failed: 0 });
  const worker = await workerOf(page);
  await receive(page);
  await expect.poll(worker.shown).toMatchObject([
    {
      title: expect.stringContaining('robe'),
      body: expect.stringContaining('Robe en toghu'),
      lang: 'fr',
      actions: [{ title: stop.action }],
    },
  ]);
  await worker.tap('end');
  await expect.poll(worker.shown).toMatchObject([{}, { title: stop.done, body: '' }]);
  expect(await market.db.$count(schema.alerts)).toBe(0);

  // After a sign-out the worker ends the subscription of the browser.
  const ended = await worker.watchEnd();
  await page.context().clearCookies();
  await page.goto('/fr');
  await expect.poll(ended).toBe(true);
});

test('the note after a heart offers it, and a browser that may not says so', async () => {
  const person = await signUpMember(market);
  const page = await visitAs(market, person, { language: 'en', serviceWorkers: 'allow' });
  const asked = await subscribing(page);
  const { push } = dictionaries.en;
  await live(market, seller, admin);
  await page.goto('/en');
  await page.mouse.wheel(0, 200);
  await page.locator('.heart').first().click();
  await button(page, push.tell).click();
  await page.getByText(push.done).waitFor();
  expect(await asked()).toBe(1);

  await page.goto('/en/favourites');
  await button(page, push.stop).click();
  await button(page, push.tell).waitFor();
  expect((await market.call('/api/push', { as: person })).body).toMatchObject({ here: false });
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'denied' });
  });
  await page.reload();
  await page.getByText(push.states.denied).waitFor();
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, 'PushManager');
  });
  await page.reload();
  await page.getByText(push.states.unsupported).waitFor();
});
