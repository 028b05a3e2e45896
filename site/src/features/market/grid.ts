import { productCode } from '../../../../api/shared/slugs/productCode.ts';
import type { Change } from '../live/eventStream.ts';
import { focusAgain, focusIn, readPage } from '../live/swap.ts';

const main = () => document.querySelector<HTMLElement>('#market');
const stallIn = (root: ParentNode, id: string) =>
  root.querySelector<HTMLLIElement>(`[data-stall="${CSS.escape(id)}"]`);

/** Stalls to read after some changes. Products not on the page are ignored. */
export function askFor(
  changes: readonly Change[],
  stallOf: (productId: string) => string | undefined,
): number[] | 'all' {
  const stalls = new Set<number>();
  for (const { kind, id } of changes) {
    if (kind !== 'slot' && kind !== 'product') return 'all';
    const stall = Number(kind === 'slot' ? id : stallOf(id));
    if (stall) stalls.add(stall);
  }
  // Sorted, so that all open pages request the same cached address.
  return [...stalls].sort((a, b) => a - b);
}

/** Content of a card that the server wrote, without the clock and what scripts added. */
function shownBy(stall: Element): string {
  const end = stall.querySelector<HTMLElement>('[data-end]')?.dataset.end;
  const picture = [...stall.querySelectorAll('picture > *')].map(
    (file) => file.getAttribute('srcset') ?? file.getAttribute('src'),
  );
  const words = [
    ...stall.querySelectorAll(
      'h3, .stall__text, .stall__price, .stall__place, .stall__none, strong',
    ),
  ].map((part) => part.outerHTML);
  return [end, picture, words].join('\n');
}

function renew(fresh: HTMLLIElement): boolean {
  const old = stallIn(document, fresh.dataset.stall ?? '');
  if (!old) return false;
  delete old.dataset.news;
  if (shownBy(old) === shownBy(fresh)) return false;
  const focused = focusIn(old);
  for (const picture of fresh.querySelectorAll('img')) {
    picture.loading = 'lazy';
    picture.removeAttribute('fetchpriority');
  }
  old.replaceWith(document.adoptNode(fresh));
  focusAgain(fresh, focused);
  return true;
}

function recount(fresh: ParentNode): void {
  for (const count of fresh.querySelectorAll<HTMLElement>('[data-count]')) {
    const old = document.querySelector(`[data-count="${count.dataset.count}"]`);
    if (old && old.textContent !== count.textContent) old.replaceWith(document.adoptNode(count));
  }
  for (const place of document.querySelectorAll<HTMLElement>('.plan div > *')) {
    const id = String(Number(place.textContent));
    const link = stallIn(document, id)?.querySelector('h3 a');
    if (Boolean(link) === (place.localName === 'a')) continue;
    const other = document.createElement(link ? 'a' : 'i');
    if (link) (other as HTMLAnchorElement).href = `${prefix()}/shop/slot/${id}`;
    other.textContent = place.textContent;
    place.replaceWith(other);
  }
}

const prefix = () => /^\/[a-z]{2}(?=\/|$)/.exec(location.pathname)?.[0] ?? '';
const isEmpty = (root: ParentNode) => root.querySelector('.grid__empty') !== null;

/**
 * Reads the market's page again and applies the changes. Returns their number, or false when the
 * page has no market.
 */
export async function readGrid(address: string): Promise<number | false> {
  const { page } = await readPage(address);
  const [old, fresh] = [main(), page.querySelector<HTMLElement>('#market')];
  if (!old || !fresh?.querySelector('.stalls')) return false;
  const figures = [document, page].map((of) => of.querySelector('.stats dl'));
  if (figures[0] && figures[1] && figures[0].textContent !== figures[1].textContent)
    figures[0].replaceWith(document.adoptNode(figures[1]));
  if (!old.querySelector('.stalls') || isEmpty(old) !== isEmpty(fresh)) {
    // Keep the heading: its lamp is an island.
    const head = (of: Element) => of.querySelector(':scope > header');
    const focused = focusIn(old);
    for (const part of [...old.children]) if (part !== head(old)) part.remove();
    const parts = [...fresh.children].filter((part) => part !== head(fresh));
    old.append(...parts.map((part) => document.adoptNode(part)));
    recount(page);
    focusAgain(old, focused);
    return parts.length;
  }
  const changed = [...fresh.querySelectorAll<HTMLLIElement>('[data-stall]')].filter(renew).length;
  recount(page);
  return changed;
}

/**
 * Reads some stalls; false when the whole grid must be read, as when an empty market gets its
 * first.
 */
async function readStalls(ids: readonly number[]): Promise<number | false> {
  const response = await fetch(`${prefix()}/stalls?ids=${ids}`);
  if (!response.ok) return false;
  const template = document.createElement('template');
  template.innerHTML = await response.text();
  const changed = [...template.content.querySelectorAll<HTMLLIElement>('[data-stall]')].filter(
    renew,
  ).length;
  recount(template.content);
  const market = main();
  return market !== null &&
    isEmpty(market) === (market.querySelector('.stall:not(.stall--empty)') === null)
    ? changed
    : false;
}

/** Keeps an open page's grid current. `onFresh` receives the number of changed stalls. */
export function liveGrid(onFresh: (count: number) => void) {
  let busy = Promise.resolve();
  const follow = async (changes: readonly Change[]) => {
    const stallOf = (productId: string) => {
      const code = CSS.escape(productCode(productId));
      return document
        .querySelector(`.stall[data-product="${code}"], .stall h3 a[href$="${code}"]`)
        ?.closest<HTMLElement>('[data-stall]')?.dataset.stall;
    };
    const wanted = askFor(changes, stallOf);
    if (wanted !== 'all' && wanted.length === 0) return;
    const some =
      wanted === 'all' || !main()?.querySelector('.stalls') ? false : await readStalls(wanted);
    const count = some === false ? await readGrid(location.pathname) : some;
    if (count) onFresh(count);
  };
  return {
    mark({ kind, id }: Change) {
      const stall = kind === 'slot' ? stallIn(document, id) : null;
      if (stall) stall.dataset.news = '';
    },
    /** In order, so that an older answer cannot overwrite a newer one. */
    follow(changes: readonly Change[]) {
      busy = busy.then(() => follow(changes)).catch(() => {});
    },
  };
}
