/** The address of the page one is on, with what it was asked for, and a dialog to open: `?new`, or `?search=taxi&new` (relative, so every page of Connect has its own). */
export function openingHere(url: URL, dialog: 'new' | 'buy'): string {
  const kept = new URLSearchParams(url.search);
  for (const name of ['new', 'buy']) kept.delete(name);
  const query = kept.toString();
  return `?${query}${query && '&'}${dialog}`;
}
