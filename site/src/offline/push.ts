import type { OwnPush } from '../../../api/push/rules.ts';
import { bytesOf } from '../lib/bytes.ts';
import { type EventOf, type PushMessage, scope } from './scope.ts';

/** Shows a message; its end is a button where the browser has buttons. */
function showMessage(message: PushMessage): Promise<void> {
  const { title, body, language: lang, id: tag, end } = message;
  return scope.registration.showNotification(title, {
    ...{ body, lang, tag, icon: '/icons/any-192.png', data: message },
    actions: end ? [{ action: 'end', title: end.label }] : [],
  });
}

/** Opens what a message is about, or ends such messages by its button. */
export async function onClick({
  action,
  notification,
}: EventOf<'notificationclick'>): Promise<unknown> {
  const { data } = notification;
  notification.close();
  const { end } = data;
  if (action !== 'end' || !end) return open(data.path);
  const answer = await fetch(end.path, { method: 'POST' }).catch(() => undefined);
  if (!answer?.ok) return open(`/${data.language}${end.path}`);
  const { end: _, ...ended } = data;
  return showMessage({ ...ended, title: end.done, body: '', path: `/${data.language}/alerts` });
}

async function open(path: string): Promise<unknown> {
  const address = new URL(path, location.origin).href;
  const there = await scope.clients.matchAll({ type: 'window' });
  const same = there.find(({ url }) => url === address);
  return same ? same.focus() : scope.clients.openWindow(address);
}

/** State of this session's browser; undefined without an answer. */
async function ownPush(): Promise<OwnPush | undefined> {
  const answer = await fetch('/api/push').catch(() => undefined);
  if (answer?.status === 401) return { key: null, here: false, silent: false };
  return answer?.ok ? ((await answer.json()) as OwnPush) : undefined;
}

/** Shows a message, or ends the subscription if this session has none. */
export async function onPush(message: PushMessage): Promise<void> {
  const own = await ownPush();
  if (own && !own.here) await endPush();
  else await showMessage(message);
}

/** Sends the market the new address of a subscription. */
export async function onRenewal({
  newSubscription,
}: EventOf<'pushsubscriptionchange'>): Promise<void> {
  const own = await ownPush();
  if (!own?.here || own.key === null) return;
  const applicationServerKey = bytesOf(own.key);
  const made =
    newSubscription ??
    (await scope.registration.pushManager?.subscribe({
      userVisibleOnly: true,
      applicationServerKey,
    }));
  if (!made) return;
  const { endpoint, keys } = made.toJSON();
  // If it does not arrive, the next page with the panel mends it.
  await fetch('/api/push', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint, keys, renews: true }),
  });
}

/** Ends the subscription of this browser. */
export async function endPush(): Promise<void> {
  const made = await scope.registration.pushManager?.getSubscription();
  await made?.unsubscribe();
}
