import { lastPage } from '../../../../api/shared/paging.ts';

/**
 * Query of an admin page's address, passed to the island so that server and browser render the
 * same.
 */
export type Asked = Record<string, string>;

export const askedOf = (url: URL): Asked => Object.fromEntries(url.searchParams);

/** Page number in the address, 1 if invalid. */
export function pageAsked(asked: Asked): number {
  const page = Number(asked.page);
  return Number.isInteger(page) && page >= 1 && page <= lastPage ? page : 1;
}

/** Writes state to the address, for reloads and sharing; empty values are removed. */
export function keepInAddress(state: Record<string, string | number | undefined>): void {
  const url = new URL(window.location.href);
  for (const [name, value] of Object.entries(state)) {
    if (value === undefined || value === '' || (name === 'page' && value === 1))
      url.searchParams.delete(name);
    else url.searchParams.set(name, String(value));
  }
  if (url.href !== window.location.href) window.history.replaceState(window.history.state, '', url);
}
