/** Version of the market in this page (api/live/versions.ts); the event stream starts there. */
export const versionOf = (page: Document): string | undefined =>
  page.querySelector<HTMLElement>('[data-version]')?.dataset.version;

/**
 * Fetches a page as a document. The browser revalidates, so an unchanged page costs a few bytes.
 */
export async function readPage(address: string): Promise<{ status: number; page: Document }> {
  const response = await fetch(address, { headers: { accept: 'text/html' } });
  return {
    status: response.status,
    page: new DOMParser().parseFromString(await response.text(), 'text/html'),
  };
}

/** Selector that finds the focused element in a newer version; null if the focus is elsewhere. */
export function focusIn(place: Element): string | null {
  const active = document.activeElement;
  if (!active || !place.contains(active)) return null;
  const { id } = active;
  const action = active.getAttribute('data-action');
  const href = active.getAttribute('href');
  if (id) return `#${CSS.escape(id)}`;
  if (action) return `[data-action="${action}"]`;
  return href && !active.closest('h3')
    ? `[href="${CSS.escape(href)}"]`
    : active.closest('h3')
      ? 'h3 a'
      : active.localName;
}

/** Restores the focus from `focusIn`'s selector, or to the element itself. */
export function focusAgain(place: HTMLElement, found: string | null): void {
  if (!found) return;
  const target = place.querySelector<HTMLElement>(found) ?? place;
  if (target === place && !place.matches('a, button, [tabindex]')) place.tabIndex = -1;
  target.focus({ preventScroll: true });
}
