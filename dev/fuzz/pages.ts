import fc from 'fast-check';
import { slotCount } from '../../api/shared/slots.ts';
import type { Input } from './input.ts';
import { escaped, one, whoever } from './input.ts';
import { nastyHeader, nastyPiece, oddHeads, texts } from './nasty.ts';
import type { Pools } from './testbed.ts';

/** Addresses of pages, which the API's document lacks, with placeholders for slot, slug and id. */
const pages = [
  '/',
  '/how-it-works',
  '/stalls',
  '/shop/{slotId}',
  '/shop/slot/{slotId}',
  '/shop/{slotId}/details',
  '/shop/{slotId}/{slug}',
  '/seller/auth',
  '/sign-in',
  '/seller/dashboard',
  '/seller/upload',
  '/seller/products/{id}/edit',
  '/email-verification',
  '/reset-password',
  '/admin/auth',
  '/admin/dashboard',
  '/admin/queue',
  '/admin/audit',
  '/admin/connect',
  '/admin/credits',
  '/admin/analytics',
  '/admin/products/upload',
  '/demo/outbox',
  '/demo/chat',
  '/demo/sign-in',
  '/account',
  '/sign-in-link',
  '/email-change',
  '/email-back',
  '/forgot-password',
  '/connect',
  '/connect/{post}',
  '/connect/mine',
  '/connect/credits',
  '/contact/question',
  '/shops/{shop}',
  '/admin/users',
  '/admin/slots',
  '/admin/reports',
  '/admin/settings',
  '/admin/products/{id}/edit',
  '/media/products/{slug}',
  '/media/cards/{slug}',
  '/nowhere/{slug}',
  '/_astro/{slug}',
];
const asks = [
  'ids',
  'report',
  'contact',
  'next',
  'mode',
  'tab',
  'range',
  'page',
  'language',
  'seller',
  'listed',
  'token',
  'search',
  'x',
];

export function pageInput(pools: Pools): fc.Arbitrary<Input> {
  const value = fc.oneof(
    fc.constantFrom('3,7', 'fr', 'sign-up', '/fr/shop/7', 'sent', 'queue'),
    fc.constantFrom(...texts).map(escaped),
    nastyPiece,
  );
  return fc
    .record({
      who: fc.constantFrom(...whoever),
      language: fc.constantFrom('', '/en', '/fr', '/de'),
      page: fc.constantFrom(...pages),
      slot: fc.oneof(fc.integer({ min: 11, max: 17 }), fc.integer({ min: 1, max: slotCount })),
      slug: one(pools.slugs, 'x'),
      shop: one(pools.shops, 'x'),
      id: one(pools.products, 'x'),
      post: one(pools.posts, 'x'),
      piece: fc.oneof(
        { weight: 2, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: nastyPiece },
      ),
      method: fc.oneof(
        { weight: 8, arbitrary: fc.constant('GET') },
        { weight: 1, arbitrary: fc.constantFrom('HEAD', 'POST', 'OPTIONS', 'DELETE') },
      ),
      query: fc.array(fc.tuple(fc.constantFrom(...asks), value), { maxLength: 2 }),
      headers: fc.array(nastyHeader, { maxLength: 2 }),
    })
    .map(({ who, language, page, slot, piece, method, query, headers, ...names }) => {
      const filled = page
        .replace('{slotId}', String(slot))
        .replace(
          /\{(slug|shop|id|post)\}/,
          (_, name: 'slug' | 'shop' | 'id' | 'post') => piece ?? names[name],
        );
      return {
        name: `page ${page}`,
        who,
        method,
        target:
          language +
          filled +
          (query.length ? `?${query.map(([name, given]) => `${name}=${given}`).join('&')}` : ''),
        headers,
      };
    });
}

export const oddInput: fc.Arbitrary<Input> = fc
  .constantFrom(...oddHeads)
  .map((odd) => ({ name: 'odd head', who: 'visitor', method: '', target: '', headers: [], odd }));
