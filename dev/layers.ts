/**
 * The codebase's layers, lowest first. A file imports only its own module and modules of lower
 * layers; modules of one layer do not import each other. `tests/layers.test.ts` checks every
 * import, types included, and that `docs/architecture.md` shows this list.
 */
export const layers: readonly { name: string; modules: readonly string[] }[] = [
  { name: 'Texts', modules: ['locales'] },
  { name: 'Database', modules: ['db'] },
  { name: 'Pure code', modules: ['api/shared'] },
  { name: 'Process', modules: ['api/ops', 'api/pictures'] },
  { name: 'Core', modules: ['api/core'] },
  { name: 'HTTP and messages', modules: ['api/http', 'api/outbox'] },
  { name: 'People', modules: ['api/people', 'api/challenge', 'api/live'] },
  { name: 'Settings', modules: ['api/settings'] },
  {
    name: 'Listings and ledger',
    modules: [
      'api/alarms',
      'api/audit',
      'api/credits',
      'api/docs',
      'api/listings',
      'api/mail',
      'api/tracking',
      'api/uploads',
    ],
  },
  { name: 'Share cards', modules: ['api/sharecards'] },
  { name: 'Sellers', modules: ['api/sellers'] },
  { name: 'Products', modules: ['api/products'] },
  {
    name: 'Services on products',
    modules: [
      'api/auth',
      'api/contact',
      'api/drafts',
      'api/engagement',
      'api/outages',
      'api/payments',
    ],
  },
  { name: 'Slots and Connect', modules: ['api/connect', 'api/slots'] },
  { name: 'Queue and chats', modules: ['api/chats', 'api/queue', 'api/sitemap'] },
  { name: 'Reports and accounts', modules: ['api/account', 'api/reports'] },
  { name: 'Self-check', modules: ['api/check'] },
  { name: 'Backup', modules: ['api/backup'] },
  { name: 'Upkeep', modules: ['api/upkeep'] },
  { name: 'Metrics and demo', modules: ['api/demo', 'api/metrics'] },
  { name: 'Page cache', modules: ['api/pages'] },
  { name: 'App', modules: ['api'] },
  { name: 'Jobs', modules: ['jobs'] },
  { name: 'Entry points', modules: ['api/commands', 'bot', 'site'] },
  { name: 'Site adapter', modules: ['api/site.ts'] },
  { name: 'Server', modules: ['api/server.ts'] },
  { name: 'Chat in a terminal', modules: ['bot/repl.ts'] },
  { name: 'Test support', modules: ['tests/support'] },
  { name: 'Development', modules: ['dev'] },
  { name: 'Tests', modules: ['tests'] },
];
