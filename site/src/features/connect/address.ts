/** The address of the page one is on, with what it was asked for, and a dialog to open: `?new`, or `?search=taxi&new` (relative, so every page of Connect has its own). */
export function openingHere(url: URL, dialog: 'new' | 'buy'): string {
  const kept = new URLSearchParams(url.search);
  for (const name of ['new', 'buy']) kept.delete(name);
  const query = kept.toString();
  return `?${query}${query && '&'}${dialog}`;
}

const dialogs = ['new', 'buy'] as const;
export type Asked = (typeof dialogs)[number];
/** The dialog that an address asks for. */
export const askedIn = (search: string): Asked | undefined =>
  dialogs.find((name) => new URLSearchParams(search).has(name));

/** The address of a page with a dialog to open, or with none; what else it was asked for stays as it is written. */
export function addressWith(
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
  dialog?: Asked,
): string {
  const kept = search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !/^(?:new|buy)(?:=|$)/.test(part));
  const query = [...kept, ...(dialog ? [dialog] : [])].join('&');
  return pathname + (query && `?${query}`);
}
