import type { Language } from '../../../../locales/languages.ts';
import { record } from '../../lib/engagement.ts';
import { heartsAgain } from '../favourites/onDemand.ts';
import { openEventStream } from '../live/eventStream.ts';
import { startPage } from '../live/page.ts';
import { versionOf } from '../live/swap.ts';
import { stallProductOf } from '../product/stallProduct.ts';
import { liveGrid, readGrid } from './grid.ts';
import type { MarketWords } from './words.ts';

/** Starts the market's script. Returns a function that stops it. */
export function openMarketPage(language: Language, words: MarketWords): () => void {
  const stop = startPage(words.share);
  const eye = watchStalls();
  const fresh = () => {
    nameActions(words.actions);
    eye.look();
    heartsAgain();
  };
  const plural = new Intl.PluralRules(language);
  const say = announcer((count) => {
    const form = `showNew_${plural.select(count)}` as keyof MarketWords['news'];
    return (words.news[form] ?? words.news.showNew_other).replace('{{count}}', String(count));
  });
  const grid = liveGrid((count) => {
    fresh();
    say(count);
  });
  fresh();
  const retryTap = (event: MouseEvent) => retry(event, fresh);
  document.addEventListener('click', opened);
  document.addEventListener('auxclick', opened);
  document.addEventListener('click', retryTap);
  const hangUp = openEventStream({
    since: versionOf(document),
    onNews: grid.mark,
    onChanges: grid.follow,
  });
  return () => {
    hangUp();
    eye.close();
    document.removeEventListener('click', opened);
    document.removeEventListener('auxclick', opened);
    document.removeEventListener('click', retryTap);
    stop();
  };
}

/** Names each action after its product for screen readers. The server omits this to save bytes. */
function nameActions(names: MarketWords['actions']): void {
  for (const link of document.querySelectorAll<HTMLElement>('.stall__actions [data-action]')) {
    const name = link.closest('.stall')?.querySelector('h3')?.textContent ?? '';
    link.setAttribute(
      'aria-label',
      names[link.dataset.action as keyof typeof names].replace('{{name}}', () => name),
    );
  }
}

/** Records a view when half of a stall has been visible for a second. */
function watchStalls(): { look(): void; close(): void } {
  if (!('IntersectionObserver' in window)) return { look() {}, close() {} };
  const waiting = new Map<Element, ReturnType<typeof setTimeout>>();
  const seer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        clearTimeout(waiting.get(target));
        if (!isIntersecting) continue;
        waiting.set(
          target,
          setTimeout(() => {
            seer.unobserve(target);
            const stall = stallProductOf(target);
            if (stall && !document.hidden) record('view', stall);
          }, 1000),
        );
      }
    },
    { threshold: 0.5 },
  );
  const known = new WeakSet<Element>();
  return {
    look() {
      for (const stall of document.querySelectorAll('.stall:not(.stall--empty)')) {
        if (!known.has(stall)) seer.observe(stall);
        known.add(stall);
      }
    },
    close: () => seer.disconnect(),
  };
}

function opened(event: MouseEvent): void {
  const link = (event.target as Element).closest('.stall h3 a');
  const stall = stallProductOf(link);
  if (stall && event.button < 2) record('click', stall);
}

const quietMs = 30_000;

/** Announces changes to screen readers, at most twice a minute. */
function announcer(sentence: (count: number) => string): (count: number) => void {
  let sum = 0;
  let last = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = () => {
    timer = undefined;
    last = Date.now();
    const region = document.querySelector('[data-news-count]');
    if (region) region.textContent = sentence(sum);
    sum = 0;
  };
  return (count) => {
    sum += count;
    if (timer === undefined) timer = setTimeout(tell, Math.max(0, last + quietMs - Date.now()));
  };
}

/** Retries without leaving the page. */
async function retry(event: MouseEvent, done: () => void): Promise<void> {
  const link = (event.target as Element).closest<HTMLAnchorElement>('#market [role=alert] a');
  const template = document.querySelector<HTMLTemplateElement>('#market-loading');
  const note = link?.closest<HTMLElement>('[role=alert]');
  if (!link || !note || !template) return;
  event.preventDefault();
  const loading = template.content.firstElementChild?.cloneNode(true) as HTMLElement;
  note.hidden = true;
  note.after(loading);
  const recovered = await readGrid(link.pathname).catch(() => false);
  loading.remove();
  note.hidden = false;
  if (recovered) done();
  else link.focus();
}
