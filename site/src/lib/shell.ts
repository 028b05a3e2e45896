import { followSession } from './mark.ts';
import { reportError, watchFigures } from './report.ts';

let started = false;

/**
 * What every page does, the market's and the tools' alike: it follows the session, remembers the language that is chosen by its link, and
 * reports (product R41). Where islands wait for the largest paint it comes with them, elsewhere at the end of the page: nothing is painted later for it.
 */
export function startShell(): void {
  if (started) return;
  started = true;
  followSession();
  rememberLanguage();
  window.addEventListener('error', ({ error, message }) => reportError(error ?? message));
  window.addEventListener('unhandledrejection', ({ reason }) => reportError(reason));
  watchFigures();
}

/** The language that somebody chooses by its link is remembered, so that addresses without one follow it (product R40). */
function rememberLanguage(): void {
  document.addEventListener('click', ({ target }) => {
    const link = (target as Element).closest<HTMLAnchorElement>('a[hreflang]');
    if (link)
      navigator.sendBeacon?.('/preferences', new URLSearchParams({ language: link.hreflang }));
  });
}
