import { followSession } from './mark.ts';
import { keepOffline } from './offline.ts';
import { reportError, watchFigures } from './report.ts';

let started = false;

/**
 * Follows the session, remembers the chosen language, and reports errors (product R41). Loads with
 * calm islands or at the end of the page, so it delays no paint.
 */
export function startShell(): void {
  if (started) return;
  started = true;
  followSession();
  rememberLanguage();
  closeMenus();
  window.addEventListener('error', ({ error, message }) => reportError(error ?? message));
  window.addEventListener('unhandledrejection', ({ reason }) => reportError(reason));
  watchFigures();
  keepOffline();
  // Safari before 15.4, among others.
  if (!('HTMLDialogElement' in window)) void import('./flexGap.ts');
}

/** Escape closes an open menu; all else works without a script (styles/below.css). */
function closeMenus(): void {
  document.addEventListener('keydown', ({ key }) => {
    const menu = key === 'Escape' && document.querySelector<HTMLElement>('.menu[open]');
    if (!menu) return;
    menu.removeAttribute('open');
    menu.querySelector('summary')?.focus();
  });
}

/**
 * Stores the language chosen by a link, so that addresses without a prefix follow it (product R40).
 */
function rememberLanguage(): void {
  document.addEventListener('click', ({ target }) => {
    const link = (target as Element).closest<HTMLAnchorElement>('a[hreflang]');
    if (link)
      navigator.sendBeacon?.('/preferences', new URLSearchParams({ language: link.hreflang }));
  });
}
