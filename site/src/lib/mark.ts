import { storage } from './storage.ts';

/** The cookie of api/core/mark.ts, and where this browser remembers which one its pages have last heard of. */
const key = 'signed-in';
const mark = () => /(?:^|; )signed-in=(\w+)/.exec(document.cookie)?.[1] ?? '';

/** Tells the other pages of this browser, where the last answer of the server has changed who is signed in. What is stored is an event to them. */
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
 * Keeps a page with its session (decision 041). Everybody's pages change their header. One that was written for somebody alone, or for a visitor as
 * the doors are, gives way: what it shows goes at once, and the server says what is there now.
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
  // What was changed while the page was on its way. Twice would be for ever, where a browser does not keep the mark.
  if (!isReload()) look();
}
