import type { Language } from '../../../../../locales/languages.ts';
import { browserApi, unwrap } from '../../../lib/api.ts';
import { type Change, openEventStream } from '../../live/eventStream.ts';
import { versionOf } from '../../live/swap.ts';
import type { Asked } from './query.ts';

export type NewsWords = Record<'news_one' | 'news_many' | 'news_other', string>;

/** Reference of an announced post (`repairs.abcd2345`), if its category is wanted. */
export function referenceOf({ kind, id }: Change, wanted: string): string | undefined {
  const [category, reference] = id.split('.');
  return kind === 'post' && (wanted === 'all' || wanted === category) ? reference : undefined;
}

/**
 * Counts new posts since `written`, the page's rendering; the feed moves only on request. Counts
 * announcements, but asks the API when a search is shown or events were missed.
 */
export function followNews(written: number, language: Language, words: NewsWords): () => void {
  const link = document.querySelector<HTMLAnchorElement>('[data-news]');
  if (!link) return () => {};
  const { category = 'all', search } = link.dataset as Asked;
  const plural = new Intl.PluralRules(language);
  const fresh = new Set<string>();
  const say = () => {
    if (fresh.size === 0) return;
    const count = link.querySelector('b');
    if (count)
      count.textContent = words[`news_${plural.select(fresh.size)}` as keyof typeof words].replace(
        '{{count}}',
        String(fresh.size),
      );
    link.hidden = false;
  };
  const look = async () => {
    const { posts } = await unwrap(
      browserApi(language).connect.posts.$get({ query: { category, ...(search && { search }) } }),
      '',
    );
    for (const { reference, createdAt } of posts)
      if (Date.parse(createdAt) > written) fresh.add(reference);
  };
  return openEventStream({
    url: '/api/connect/live',
    since: versionOf(document),
    onChanges: async (changes) => {
      const announced = changes.flatMap((change) => referenceOf(change, category) ?? []);
      if (changes.some(({ kind }) => kind === 'all') || (search && announced.length > 0))
        await look().catch(() => {});
      else for (const reference of announced) fresh.add(reference);
      say();
    },
  });
}
