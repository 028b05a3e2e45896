import { codeInSlug } from '../../../../api/shared/slug.ts';

export type Board = { slotId: number; productId: string; name: string; link?: string | undefined };

/**
 * Product of the card or panel around an element. Cards omit repeated data: their place has the
 * number, and their address ends with the product's code.
 */
export function boardOf(element: Element | null | undefined): Board | null {
  const board = element?.closest<HTMLElement>('.stall, .deal');
  const link = board?.querySelector<HTMLAnchorElement>('h3 a');
  const slotId = Number(
    board?.dataset.slot ?? board?.closest<HTMLElement>('[data-stall]')?.dataset.stall,
  );
  const productId = board?.dataset.product ?? codeInSlug(link?.pathname.split('/').pop() ?? '');
  return slotId && productId
    ? { slotId, productId, name: board?.dataset.name ?? link?.textContent ?? '', link: link?.href }
    : null;
}
