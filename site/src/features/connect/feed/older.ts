import { readPage } from '../../live/swap.ts';

/** Appends older posts below. If the request brings none, follows the link instead. */
export function appendOlder(): () => void {
  const tapped = async (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('.posts__ways a[rel=next]');
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.hasAttribute('aria-busy')) return;
    link.setAttribute('aria-busy', 'true');
    const { page } = await readPage(link.href).catch(() => ({ page: undefined }));
    const cards = [...(page?.querySelectorAll('.posts > .card') ?? [])];
    if (cards.length === 0) return location.assign(link.href);
    document.querySelector('.posts')?.append(...cards.map((card) => document.adoptNode(card)));
    cards[0]?.querySelector('a')?.focus();
    const next = page?.querySelector('.posts__ways a[rel=next]');
    if (next) link.replaceWith(document.adoptNode(next));
    else link.remove();
  };
  document.addEventListener('click', tapped);
  return () => document.removeEventListener('click', tapped);
}
