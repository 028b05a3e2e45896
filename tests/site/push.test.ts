import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onClick, onRenewal } from '../../site/src/offline/push.ts';
import type { PushMessage } from '../../site/src/offline/scope.ts';

/** The worker's part of messages to a browser, with a browser that is played. */
const there = { url: 'https://market.test/fr/shop/12/robe', focus: vi.fn() };
const openWindow = vi.fn();
const showNotification = vi.fn();
const fetched = vi.fn();
const subscribe = vi.fn();
beforeEach(() => {
  vi.stubGlobal('location', { origin: 'https://market.test' });
  vi.stubGlobal('clients', { matchAll: async () => [there], openWindow });
  vi.stubGlobal('registration', { showNotification, pushManager: { subscribe } });
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

test('an address that the browser changes is told to the market, and ended if it is refused', async () => {
  const unsubscribe = vi.fn();
  const keys = { p256dh: 'p', auth: 'a' };
  const made = { toJSON: () => ({ endpoint: 'https://push.test/2', keys }), unsubscribe };
  const old = { options: { userVisibleOnly: true } };
  subscribe.mockResolvedValue(made);
  fetched.mockResolvedValue(new Response());
  await onRenewal({ oldSubscription: old as never, waitUntil() {} });
  expect(subscribe).toHaveBeenCalledExactlyOnceWith(old.options);
  expect(JSON.parse(fetched.mock.calls[0]?.[1].body)).toEqual({
    ...{ endpoint: 'https://push.test/2', keys, renews: true },
  });
  expect(unsubscribe).not.toHaveBeenCalled();
  fetched.mockResolvedValue(new Response(null, { status: 401 }));
  await onRenewal({ newSubscription: made as never, waitUntil() {} });
  expect(unsubscribe).toHaveBeenCalledOnce();
  await onRenewal({ oldSubscription: null, waitUntil() {} });
  expect(fetched).toHaveBeenCalledTimes(2);
});
