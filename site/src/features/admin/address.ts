import { lastPage } from '../../../../api/core/paging.ts';

/** What an admin screen was asked for in its address: `?search=ngo&page=2`. The page hands it to its island, so that server and browser begin alike. */
export type Asked = Record<string, string>;

export const askedOf = (url: URL): Asked => Object.fromEntries(url.searchParams);

/** The page of a list in the address, the first unless it is one. */
export function pageAsked(asked: Asked): number {
  const page = Number(asked.page);
  return Number.isInteger(page) && page >= 1 && page <= lastPage ? page : 1;
}

/** Keeps what is shown in the address, so that it survives a reload and can be sent to a colleague; what is empty leaves it. */
export function keepInAddress(state: Record<string, string | number | undefined>): void {
  const url = new URL(window.location.href);
  for (const [name, value] of Object.entries(state)) {
    if (value === undefined || value === '' || (name === 'page' && value === 1))
      url.searchParams.delete(name);
    else url.searchParams.set(name, String(value));
  }
  if (url.href !== window.location.href) window.history.replaceState(window.history.state, '', url);
}
