/** Relative address that opens a dialog on this page and keeps its query: `?search=taxi&new`. */
export function openingHere(url: URL, dialog: 'new' | 'buy'): string {
  const kept = new URLSearchParams(url.search);
  for (const name of ['new', 'buy']) kept.delete(name);
  const query = kept.toString();
  return `?${query}${query && '&'}${dialog}`;
}

const dialogs = ['new', 'buy'] as const;
export type Asked = (typeof dialogs)[number];
export const askedIn = (search: string): Asked | undefined =>
  dialogs.find((name) => new URLSearchParams(search).has(name));

/** Address with a dialog, or without one; other parameters stay unchanged. */
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
