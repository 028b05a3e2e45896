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
  if (connection?.saveData) window.addEventListener('pointerdown', start, once);
  else if (document.readyState === 'complete') start();
  else window.addEventListener('load', start, once);
}

/**
 * Tells the worker what the first page had loaded before it was there, and that somebody is signed in.
 * Later pages pass through it: given once more, they would seem younger than they are.
 */
function start(): void {
  const { serviceWorker: workers } = navigator;
  const first = !workers.controller;
  void workers
    .register('/sw.js', { updateViaCache: 'none' })
    .then(() => workers.ready)
    .then(({ active }) => {
      const signedIn = sessionMark() !== '';
      if (!first && !signedIn) return;
      const loaded = first
        ? [location.href, ...performance.getEntriesByType('resource').map(({ name }) => name)]
        : [];
      active?.postMessage({ loaded, signedIn } satisfies Loaded);
    })
    // Forbidden, in private windows for example: the market is the same without it.
    .catch(() => {});
}
