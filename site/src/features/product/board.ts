import { codeInSlug } from '../../../../api/products/rules.ts';

export type Board = { slotId: number; productId: string; name: string; link?: string | undefined };

/**
 * What the stall or the board of a product's page around an element is about. A board says it; a stall, which is sent 54 times, says nothing
 * twice: its number is its place's in the grid, and its product the one whose code ends its address.
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
