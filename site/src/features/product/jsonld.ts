import type { Condition } from '../../../../api/products/schema.ts';
import { dataBlock } from '../../lib/dataBlock.ts';
import type { LiveSlot } from '../market/slots.ts';
import type { Presented } from './present.ts';

/** schema.org's names; “as new” is still used, and what is for parts does not work as a whole. */
const itemConditions: Record<Condition, string> = {
  new: 'https://schema.org/NewCondition',
  as_new: 'https://schema.org/UsedCondition',
  used: 'https://schema.org/UsedCondition',
  for_parts: 'https://schema.org/DamagedCondition',
};

/** schema.org Product with an Offer. */
export function jsonLd(
  stall: LiveSlot,
  product: Presented,
  { url, origin }: { url: string; origin: string },
): string {
  const [cover] = stall.product_images;
  return dataBlock({
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: product.name.text,
    description: product.description.text,
    ...(cover ? { image: origin + cover.src } : {}),
    ...(stall.product_price
      ? {
          offers: {
            '@type': 'Offer',
            url,
            price: stall.product_price,
            priceCurrency: 'XAF',
            priceValidUntil: stall.end_time,
            availability: product.expired
              ? 'https://schema.org/Discontinued'
              : 'https://schema.org/InStock',
            ...(stall.product_condition
              ? { itemCondition: itemConditions[stall.product_condition] }
              : {}),
            ...(product.where ? { areaServed: product.where } : {}),
            ...(stall.business_name
              ? { seller: { '@type': 'Organization', name: stall.business_name } }
              : {}),
          },
        }
      : {}),
  });
}
