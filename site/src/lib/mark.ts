import { storage } from './storage.ts';

/** The cookie of api/http/sessionMark.ts, and the storage key of the last value seen. */
const key = 'signed-in';
const mark = () => /(?:^|; )signed-in=(\w+)/.exec(document.cookie)?.[1] ?? '';

export const isSignedIn = (): boolean => mark() !== '';

/** Notifies this browser's other tabs, by a storage event, of a changed session mark. */
export function noteSession(): void {
  if ((storage.get(key) ?? '') !== mark()) storage.set(key, mark());
}

export function onSessionChange(heard: () => void): void {
  window.addEventListener('storage', (event) => event.key === key && heard());
}

const isReload = () =>
  (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined)
    ?.type === 'reload';

/**
 * Keeps a page in step with its session (decision 012): shared pages update their header; pages
 * written for one session (`data-whose`) are hidden at once and reloaded.
 */
export function followSession(): void {
  const root = document.documentElement;
  const look = () => {
    root.toggleAttribute('data-signed', mark() !== '');
    if ((root.dataset.whose ?? mark()) === mark()) return;
    document.body.hidden = true;
    location.reload();
  };
  noteSession();
  onSessionChange(look);
  window.addEventListener('pageshow', ({ persisted }) => persisted && look());
  document.addEventListener('visibilitychange', look);
  // It may have changed while the page loaded. Never after a reload: without a stored mark that
  // would loop.
  if (!isReload()) look();
}
