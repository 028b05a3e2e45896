import { record } from '../../lib/engagement.ts';
import { heartsAgain } from '../favourites/onDemand.ts';
import type { ShareWords } from '../product/share.ts';
import { type Change, debounceMs, openEventStream } from './eventStream.ts';
import { startPage } from './page.ts';
import { $contact } from './stores.ts';
import { focusAgain, focusIn, readPage, versionOf } from './swap.ts';

const contentOf = (page: Document) => page.querySelector<HTMLElement>('main > .wrap');
const dealOf = (page: Document) => page.querySelector<HTMLElement>('.deal');

/** Tests whether a change affects the page. Seller and settings changes always do. */
export function concerns(
  { kind, id }: Change,
  { slot, product }: { slot?: string | undefined; product?: string | undefined },
): boolean {
  if (kind === 'slot') return id === slot;
  if (kind === 'product') return id === product;
  return true;
}

/** Visible words and pictures, without clocks and states of scripts. */
function shownIn(content: Element): string {
  const copy = content.cloneNode(true) as Element;
  for (const passing of copy.querySelectorAll(
    '.countdown, dialog, [role=status], [role=alert], script, style, .report',
  ))
    passing.remove();
  const pictures = [...copy.querySelectorAll('img')].map((image) => image.getAttribute('src'));
  return `${copy.textContent?.replace(/\s+/g, ' ')}${pictures}`;
}

/**
 * Starts a product page's script: the view count, and updates from its slot (product §4). Returns a
 * function that stops it.
 */
export function openProductPage(words: ShareWords): () => void {
  const over = () => dealOf(document)?.classList.add('deal--over');
  const stop = startPage(words, over);
  const seen = dealOf(document)?.dataset;
  if (seen?.product) record('view', { slotId: Number(seen.slot), productId: seen.product });
  let waiting = false;

  const follow = async () => {
    // Never replace an open consent step: wait until it closes; the server refuses what has ended.
    waiting = $contact.get() !== null;
    if (waiting) return;
    const { status, page } = await readPage(location.pathname);
    if (status === 404) return location.reload();
    const [old, fresh] = [contentOf(document), contentOf(page)];
    waiting = $contact.get() !== null;
    if (waiting || status !== 200 || !old || !fresh) return;
    if (shownIn(old) === shownIn(fresh)) return;
    const focused = focusIn(old);
    const same = dealOf(document)?.dataset.product === dealOf(page)?.dataset.product;
    const report = old.querySelector('.report');
    // Keep a report that is being written.
    if (same && report) fresh.querySelector('.report')?.replaceWith(report);
    adoptStyles(page);
    document.title = page.title;
    old.replaceWith(document.adoptNode(fresh));
    // Astro unmounts removed islands on this event.
    document.dispatchEvent(new Event('astro:after-swap'));
    heartsAgain();
    focusAgain(fresh, focused);
  };

  let again: ReturnType<typeof setTimeout> | undefined;
  const closed = $contact.listen((contact) => {
    if (contact || !waiting) return;
    clearTimeout(again);
    again = setTimeout(look, debounceMs);
  });
  // Offline or server restart: the next change retries.
  const look = () => void follow().catch(() => {});
  const hangUp = openEventStream({
    since: versionOf(document),
    onChanges: (changes) => {
      const { slot, product } = dealOf(document)?.dataset ?? {};
      if (changes.some((change) => concerns(change, { slot: slot ?? slotInAddress(), product })))
        look();
    },
  });
  return () => {
    clearTimeout(again);
    hangUp();
    closed();
    stop();
  };
}

/** Slot of a page whose product is gone. */
const slotInAddress = () => /\/shop\/(?:slot\/)?(\d{1,2})(?:\/|$)/.exec(location.pathname)?.[1];

/**
 * Adopts the style sheets of a fetched page. The content security policy refuses new style elements
 * but allows constructed sheets.
 */
function adoptStyles(page: Document): void {
  const known = new Set([...document.querySelectorAll('style')].map((style) => style.textContent));
  for (const { textContent } of page.querySelectorAll('style')) {
    if (!textContent || known.has(textContent)) continue;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(textContent);
    document.adoptedStyleSheets.push(sheet);
  }
}
