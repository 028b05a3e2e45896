import { record } from '../../lib/engagement.ts';
import type { ShareWords } from '../product/share.ts';
import { type Change, debounceMs, openEventStream } from './eventStream.ts';
import { startPage } from './page.ts';
import { $contact } from './stores.ts';
import { focusAgain, focusIn, readPage, versionOf } from './swap.ts';

const contentOf = (page: Document) => page.querySelector<HTMLElement>('main > .wrap');
const dealOf = (page: Document) => page.querySelector<HTMLElement>('.deal');

/** Whether a change is about what a page shows: its slot, its product, its seller, or everything. */
export function concerns(
  { kind, id }: Change,
  { slot, product }: { slot?: string | undefined; product?: string | undefined },
): boolean {
  if (kind === 'slot') return id === slot;
  if (kind === 'product') return id === product;
  return true;
}

/** What a reader would notice: words and pictures, without what ticks, moves or was opened since. */
function shownIn(content: Element): string {
  const copy = content.cloneNode(true) as Element;
  for (const passing of copy.querySelectorAll(
    '.countdown, dialog, [role=status], [role=alert], script, style, .report',
  ))
    passing.remove();
  const pictures = [...copy.querySelectorAll('img')].map((image) => image.getAttribute('src'));
  return `${copy.textContent?.replace(/\s+/g, ' ')}${pictures}`;
}

/** Clocks, share, contact and the count of views, and the page of a product that follows its slot (product §4). Answers how to end it. */
export function openProductPage(words: ShareWords): () => void {
  const over = () => dealOf(document)?.classList.add('deal--over');
  const stop = startPage(words, over);
  const seen = dealOf(document)?.dataset;
  if (seen?.product) record('view', { slotId: Number(seen.slot), productId: seen.product });
  let waiting = false;

  const follow = async () => {
    // Nobody's consent step is pulled away: what changed is shown when it closes, and the server refuses what is over.
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
    // A report that is being written stays as it is.
    if (same && report) fresh.querySelector('.report')?.replaceWith(report);
    adoptStyles(page);
    document.title = page.title;
    old.replaceWith(document.adoptNode(fresh));
    // Astro's islands take leave when they hear this.
    document.dispatchEvent(new Event('astro:after-swap'));
    focusAgain(fresh, focused);
  };

  let again: ReturnType<typeof setTimeout> | undefined;
  const closed = $contact.listen((contact) => {
    if (contact || !waiting) return;
    clearTimeout(again);
    again = setTimeout(look, debounceMs);
  });
  // Offline or a server that restarts: the next news tries again.
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

/** The slot of a page whose product has gone. */
const slotInAddress = () => /\/shop\/(?:slot\/)?(\d{1,2})(?:\/|$)/.exec(location.pathname)?.[1];

/** Takes over the style sheets of a fetched page that this one lacks. The content security policy refuses new style elements, and allows these. */
function adoptStyles(page: Document): void {
  const known = new Set([...document.querySelectorAll('style')].map((style) => style.textContent));
  for (const { textContent } of page.querySelectorAll('style')) {
    if (!textContent || known.has(textContent)) continue;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(textContent);
    document.adoptedStyleSheets.push(sheet);
  }
}
