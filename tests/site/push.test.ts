import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onClick, onPush, onRenewal } from '../../site/src/offline/push.ts';
import type { PushMessage } from '../../site/src/offline/scope.ts';

/** The worker's part of messages to a browser, with a browser that is played. */
const there = { url: 'https://market.test/fr/shop/12/robe', focus: vi.fn() };
const openWindow = vi.fn();
const showNotification = vi.fn();
const fetched = vi.fn();
const subscribe = vi.fn();
const getSubscription = vi.fn();
beforeEach(() => {
  vi.stubGlobal('location', { origin: 'https://market.test' });
  vi.stubGlobal('clients', { matchAll: async () => [there], openWindow });
  vi.stubGlobal('registration', { showNotification, pushManager: { subscribe, getSubscription } });
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

const message: PushMessage = {
  ...{ id: 'x', title: 'Du nouveau', body: 'Robe', language: 'fr', path: '/fr/shop/12/robe' },
  end: { label: 'Arrêter', path: '/alerts/end/token', done: 'Arrêtée' },
};
const tap = (action = '', data = message) => {
  const close = vi.fn();
  return onClick({ action, notification: { data, close }, waitUntil() {} });
};

test('a tap shows the page that is open already, or opens it', async () => {
  await tap();
  expect(there.focus).toHaveBeenCalledOnce();
  expect(openWindow).not.toHaveBeenCalled();
  await tap('', { ...message, path: '/fr/favourites' });
  expect(openWindow).toHaveBeenCalledExactlyOnceWith('https://market.test/fr/favourites');
});

test.each([
  ['no answer', () => Promise.reject(new Error('away'))],
  ['a refusal', () => Promise.resolve(new Response(null, { status: 429 }))],
])('the button that ends an alert opens its page after %s', async (_, answer) => {
  fetched.mockImplementation(answer);
  await tap('end');
  expect(fetched).toHaveBeenCalledExactlyOnceWith('/alerts/end/token', { method: 'POST' });
  expect(openWindow).toHaveBeenCalledExactlyOnceWith('https://market.test/fr/alerts/end/token');
  expect(showNotification).not.toHaveBeenCalled();
});

const here = { key: 'BAAA', here: true, silent: false };
const keys = { p256dh: 'p', auth: 'a' };
const made = { toJSON: () => ({ endpoint: 'https://push.test/2', keys }), unsubscribe: vi.fn() };
/** Answers each request with this state of the browser. */
const market = (own: object, status = 200) =>
  fetched.mockImplementation(async () => Response.json(own, { status }));

test.each([
  ['the browser names it', { newSubscription: made as never }, 0],
  ['the browser names none', {}, 1],
])('a changed address is told to the market if %s', async (_, event, subscribed) => {
  subscribe.mockResolvedValue(made);
  market(here);
  await onRenewal({ ...event, waitUntil() {} });
  expect(subscribe).toHaveBeenCalledTimes(subscribed);
  const [path, init] = fetched.mock.lastCall ?? [];
  expect([path, JSON.parse(init.body)]).toEqual([
    '/api/push',
    { endpoint: 'https://push.test/2', keys, renews: true },
  ]);
});

test('a changed address is told to nobody whose browser is not told', async () => {
  market({ ...here, here: false });
  await onRenewal({ newSubscription: made as never, waitUntil() {} });
  expect(fetched).toHaveBeenCalledOnce();
});

test.each([
  ['its person is signed in', () => market(here), true],
  ['the market does not answer', () => fetched.mockRejectedValue(new Error('away')), true],
  ['the market has no time', () => market({}, 503), true],
  ['nobody is signed in', () => market({}, 401), false],
  ['another person is signed in', () => market({ ...here, here: false }), false],
])('a message is shown, or ended for good, if %s', async (_, answer, isShown) => {
  made.unsubscribe.mockClear();
  getSubscription.mockResolvedValue(made);
  answer();
  await onPush(message);
  expect(showNotification).toHaveBeenCalledTimes(isShown ? 1 : 0);
  expect(made.unsubscribe).toHaveBeenCalledTimes(isShown ? 0 : 1);
});
