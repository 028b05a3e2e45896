import type { Loaded } from '../offline/worker.ts';
import { isSignedIn } from './mark.ts';

/**
 * Starts the worker that keeps public pages for times without a network (docs/offline.md), and tells
 * it what the first page had loaded before it was there.
 */
export function keepOffline(): void {
  const { serviceWorker: workers } = navigator;
  if (!workers) return;
  const first = !workers.controller;
  void workers
    .register('/sw.js', { updateViaCache: 'none' })
    .then(() => workers.ready)
    .then(({ active }) => {
      const signedIn = isSignedIn();
      if (!first && !signedIn) return;
      const files = first ? performance.getEntriesByType('resource').map(({ name }) => name) : [];
      const page = first ? location.href : '';
      active?.postMessage({ page, files, signedIn } satisfies Loaded);
    })
    // Forbidden, in private windows for example: the market is the same without it.
    .catch(() => {});
}
