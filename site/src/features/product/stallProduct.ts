import { codeInSlug } from '../../../../api/shared/slugs/productCode.ts';

export type StallProduct = {
  slotId: number;
  productId: string;
  name: string;
  link?: string | undefined;
};

/**
 * Product of the card or panel around an element. Cards omit repeated data: their place has the
 * number, and their address ends with the product's code.
 */
export function stallProductOf(element: Element | null | undefined): StallProduct | null {
  const stall = element?.closest<HTMLElement>('.stall, .deal');
  const link = stall?.querySelector<HTMLAnchorElement>('h3 a');
  const slotId = Number(
    stall?.dataset.slot ?? stall?.closest<HTMLElement>('[data-stall]')?.dataset.stall,
  );
  const productId = stall?.dataset.product ?? codeInSlug(link?.pathname.split('/').pop() ?? '');
  return slotId && productId
    ? { slotId, productId, name: stall?.dataset.name ?? link?.textContent ?? '', link: link?.href }
    : null;
}
