import type { Loaded } from '../offline/worker.ts';
import { sessionMark } from './mark.ts';

/**
 * Starts the worker that keeps public pages for times without a network (docs/offline.md), once the
 * page is loaded, or touched with Save-Data.
 */
export function keepOffline(): void {
  if (!navigator.serviceWorker) return;
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  const once = { once: true };
  // Forbidden, in private windows for example: the market is the same without it.
  const start = () => void notifyWorker().catch(() => {});
  if (connection?.saveData) window.addEventListener('pointerdown', start, once);
  else if (document.readyState === 'complete') start();
  else window.addEventListener('load', start, once);
}

/**
 * Tells the worker in which session this page is, and what the first page had loaded before the
 * worker was there. Later pages pass through it: given once more, they would seem younger than they
 * are. Resolves when the worker has acted on it.
 */
export async function notifyWorker(): Promise<ServiceWorkerRegistration> {
  const { serviceWorker: workers } = navigator;
  const first = !workers.controller;
  await workers.register('/sw.js', { updateViaCache: 'none' });
  const ready = await workers.ready;
  const loaded = first
    ? [location.href, ...performance.getEntriesByType('resource').map(({ name }) => name)]
    : [];
  const { port1, port2 } = new MessageChannel();
  const heard = new Promise((done) => {
    port1.onmessage = done;
  });
  ready.active?.postMessage({ loaded, mark: sessionMark() } satisfies Loaded, [port2]);
  await heard;
  return ready;
}
