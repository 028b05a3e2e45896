import { dataBlock } from '../../lib/dataBlock.ts';
import type { Shop } from './find.ts';

/** schema.org Store. */
export const storeData = (
  shop: Shop,
  { url, image, place }: { url: string; image: string; place: string | undefined },
): string =>
  dataBlock({
    '@context': 'https://schema.org',
    '@type': 'Store',
    name: shop.name,
    url,
    image,
    address: {
      '@type': 'PostalAddress',
      ...(place ? { addressLocality: place } : {}),
      addressCountry: 'CM',
    },
  });
