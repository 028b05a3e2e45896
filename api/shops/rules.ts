import { normalized } from '../shared/search.ts';

const mostRelated = 3;
/** What was sold is shown for so many days, and at most so many of it. */
export const soldDays = 30;
export const mostSold = 24;

type Listing = {
  slot_active: boolean;
  product_id: string | null;
  end_time: string | null;
  product_category: string | null;
  product_region: string | null;
  product_region_code: string | null;
};

const regionOf = ({ product_region_code, product_region }: Listing): string =>
  product_region_code ?? normalized(product_region ?? '');

/**
 * Live listings like this one: of its category first, then of its region; of both before either.
 * Those that end first come first.
 */
export function relatedTo<L extends Listing>(product: L, slots: readonly L[], now: Date): L[] {
  const region = regionOf(product);
  const close = slots
    .filter(
      ({ slot_active, product_id, end_time }) =>
        slot_active &&
        product_id !== product.product_id &&
        end_time !== null &&
        Date.parse(end_time) > now.getTime(),
    )
    .map((slot) => ({
      slot,
      rank:
        (product.product_category && slot.product_category === product.product_category ? 2 : 0) +
        (region && regionOf(slot) === region ? 1 : 0),
    }))
    .filter(({ rank }) => rank > 0);
  return close
    .sort(
      (a, b) =>
        b.rank - a.rank || Date.parse(a.slot.end_time ?? '') - Date.parse(b.slot.end_time ?? ''),
    )
    .slice(0, mostRelated)
    .map(({ slot }) => slot);
}
