/** The language that somebody chooses by its link is remembered, so that addresses without one follow it (product R40). */
export function rememberLanguage(): () => void {
  const chosen = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[hreflang]');
    if (link) navigator.sendBeacon?.('/preferences', new URLSearchParams({ language: link.hreflang }));
  };
  document.addEventListener('click', chosen);
  return () => document.removeEventListener('click', chosen);
}
