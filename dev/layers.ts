/**
 * The codebase's layers, lowest first. A file imports its own module, modules before it in its
 * layer, and lower layers. `tests/layers.test.ts` checks every import, types included, and that
 * `docs/architecture.md` shows this list.
 */
export const layers: readonly { name: string; modules: readonly string[] }[] = [
  { name: 'Texts', modules: ['db/slots.ts', 'db/vocabularies.ts', 'locales'] },
  { name: 'Database', modules: ['db'] },
  { name: 'Pure code', modules: ['api/shared'] },
  { name: 'Process', modules: ['api/ops', 'api/pictures'] },
  { name: 'Core', modules: ['api/core'] },
  { name: 'Messages', modules: ['api/http', 'api/outbox'] },
  {
    name: 'People and settings',
    modules: [
      'api/people',
      'api/challenge',
      'api/live',
      'api/mail',
      'api/tracking',
      'api/docs',
      'api/settings',
      'api/push',
      'api/legal',
      'api/alarms',
      'api/audit',
    ],
  },
  { name: 'Listings', modules: ['api/listings', 'api/uploads', 'api/mark', 'api/sharecards'] },
  { name: 'Sellers and products', modules: ['api/sellers', 'api/products', 'api/drafts'] },
  { name: 'Credits and payments', modules: ['api/credits', 'api/payments'] },
  {
    name: 'Market',
    modules: [
      'api/outages',
      'api/contact',
      'api/engagement',
      'api/slots',
      'api/productpages',
      'api/search',
      'api/favourites',
      'api/shops',
      'api/alerts',
      'api/queue',
      'api/reports',
    ],
  },
  { name: 'Connect', modules: ['api/connect'] },
  { name: 'Accounts and chats', modules: ['api/auth', 'api/chats', 'api/account'] },
  { name: 'Operations', modules: ['api/check', 'api/backup', 'api/upkeep', 'api/metrics'] },
  { name: 'App', modules: ['api/sitemap', 'api/pages', 'api/demo', 'api'] },
  {
    name: 'Front',
    modules: [
      'jobs',
      'site',
      'api/commands',
      'bot',
      'api/pageRenderer.ts',
      'api/runMarket.ts',
      'api/server.ts',
    ],
  },
  { name: 'Development and tests', modules: ['tests/support', 'dev', 'tests'] },
];
