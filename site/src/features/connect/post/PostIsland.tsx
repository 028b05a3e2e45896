import { useEffect } from 'react';
import { toast } from '../../../lib/toast.ts';
import type { ShareWords } from '../../product/share.ts';

type Props = {
  reference: string;
  /** The owner's views are not counted. */
  mine: boolean;
  words: ShareWords;
};

/** Counts the view, shares the post, and hides the bar while its button is visible. */
export default function PostIsland({ reference, mine, words }: Props) {
  useEffect(() => {
    // Offline: the view stays uncounted.
    if (!mine)
      void fetch(`/api/connect/posts/${reference}/views`, { method: 'POST' }).catch(() => {});
    const clicked = (event: MouseEvent) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-share]');
      if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      void share(link.href, words);
    };
    document.addEventListener('click', clicked);
    return () => document.removeEventListener('click', clicked);
  }, [reference, mine, words]);
  useEffect(() => hideWayAt('#connect .button--contact'), []);
  return null;
}

function hideWayAt(selector: string): (() => void) | undefined {
  const bar = document.querySelector('[data-way]');
  const button = document.querySelector(selector);
  if (!bar || !button) return undefined;
  const observer = new IntersectionObserver(
    (seen) => bar.toggleAttribute('data-reached', seen[seen.length - 1]?.isIntersecting),
    { threshold: 0.9 },
  );
  observer.observe(button);
  return () => observer.disconnect();
}

/** Share sheet of the phone, else clipboard. */
async function share(url: string, words: ShareWords): Promise<void> {
  try {
    if (navigator.share) return await navigator.share({ title: document.title, url });
  } catch (error) {
    // Cancelled by the user; any other error falls back to copying.
    if ((error as Error).name === 'AbortError') return;
  }
  try {
    await navigator.clipboard.writeText(url);
    toast(words.copied, { tone: 'good', detail: url });
  } catch {
    toast(words.failed.replace('{{url}}', url), { tone: 'bad' });
  }
}
