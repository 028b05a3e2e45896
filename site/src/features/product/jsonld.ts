import { dataBlock } from '../../lib/dataBlock.ts';
import type { LiveSlot } from '../market/slots.ts';
import type { Presented } from './present.ts';

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
            ...(product.where ? { areaServed: product.where } : {}),
            ...(stall.business_name
              ? { seller: { '@type': 'Organization', name: stall.business_name } }
              : {}),
          },
        }
      : {}),
  });
}
