import { dataBlock } from '../../../lib/dataBlock.ts';
import type { OpenPost } from './find.ts';

/** Structured data for search engines: schema.org Demand for a Service, without the author. */
export function postJsonLd(
  post: OpenPost,
  { url, place, category }: { url: string; place: string; category: string },
): string {
  const { title, description, budgetMin, budgetMax } = post;
  return dataBlock({
    '@context': 'https://schema.org',
    '@type': 'Demand',
    name: title,
    description,
    url,
    identifier: post.reference,
    availabilityStarts: post.createdAt,
    ...(place ? { areaServed: place } : {}),
    itemOffered: {
      '@type': 'Service',
      name: title,
      serviceType: category,
      ...(post.tags.length > 0 ? { keywords: post.tags.join(', ') } : {}),
    },
    ...(budgetMin === null && budgetMax === null
      ? {}
      : {
          priceSpecification: {
            '@type': 'PriceSpecification',
            priceCurrency: 'XAF',
            ...(budgetMin === null ? {} : { minPrice: budgetMin }),
            ...(budgetMax === null ? {} : { maxPrice: budgetMax }),
          },
        }),
  });
}
