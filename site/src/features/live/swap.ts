/** Which state of the market the server wrote this page from (api/live/versions.ts); the line that the page opens begins there. */
export const versionOf = (page: Document): string | undefined =>
  page.querySelector<HTMLElement>('[data-version]')?.dataset.version;

/** Fetches a page of the market as a document; the browser asks with what it has, and an unchanged page costs a few bytes. */
export async function readPage(address: string): Promise<{ status: number; page: Document }> {
  const response = await fetch(address, { headers: { accept: 'text/html' } });
  return {
    status: response.status,
    page: new DOMParser().parseFromString(await response.text(), 'text/html'),
  };
}

/** How to find again what has the focus, in the same place of a newer version; nothing when the focus is elsewhere. */
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

/** Gives the focus to what `focusIn` had found, or to the place itself. */
export function focusAgain(place: HTMLElement, found: string | null): void {
  if (!found) return;
  const target = place.querySelector<HTMLElement>(found) ?? place;
  if (target === place && !place.matches('a, button, [tabindex]')) place.tabIndex = -1;
  target.focus({ preventScroll: true });
}
