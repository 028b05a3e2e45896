import { storage } from './storage.ts';

/** The cookie of api/http/sessionMark.ts, and the storage key of the last value seen. */
const key = 'signed-in';
/** The cookie's value; empty for a visitor. */
export const sessionMark = (): string => /(?:^|; )signed-in=(\w+)/.exec(document.cookie)?.[1] ?? '';

/** Notifies this browser's other tabs, by a storage event, of a changed session mark. */
export function noteSession(): void {
  if ((storage.get(key) ?? '') !== sessionMark()) storage.set(key, sessionMark());
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
    root.toggleAttribute('data-signed', sessionMark() !== '');
    if ((root.dataset.whose ?? sessionMark()) === sessionMark()) return;
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
