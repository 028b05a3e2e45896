import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { everyone, type Role, roles } from '../../api/core/access.ts';
import { type AppEnv, declarationOf, route, undeclaredRoutes } from '../../api/http/route.ts';
import { actors } from '../support/actors.ts';
import { type Caller, testApp } from '../support/app.ts';
import { chatOf } from '../support/chat.ts';

const market = await testApp();
const who = await actors(market);
const callers: Record<Role, Caller> = {
  visitor: who.visitor,
  member: who.member,
  seller: who.seller,
  suspendedSeller: who.suspendedSeller,
  moderator: who.moderator,
  admin: who.admin,
};

const all: readonly Role[] = [
  ...(['visitor', 'member', 'seller', 'suspendedSeller', 'moderator', 'admin'] as const),
];
const selling: readonly Role[] = ['seller', 'admin'];
const adminOnly: readonly Role[] = ['admin'];
const signedIn: readonly Role[] = all.filter((role) => role !== 'visitor');
const team: readonly Role[] = ['moderator', 'admin'];
const id = '3f9c1d2e-0000-4000-8000-000000000000';

/**
 * Every route and its roles (product §6). A new route without a row here fails the first test.
 * Routes that end a session come last, since each is really called.
 */
const matrix: Record<string, readonly Role[]> = {
  'GET /healthz': all,
  'GET /readyz': all,
  'GET /metrics': all,
  'GET /media/*': all,
  'GET /media/cards/:file': all,
  'GET /media/mark/:file': all,
  'GET /sitemap.xml': all,
  'GET /robots.txt': all,
  'GET /sw.js': all,
  'GET /_astro/:name': all,
  'GET /manifest.webmanifest': all,
  'GET /.well-known/security.txt': all,
  'GET /api/openapi.json': all,
  'GET /api/docs': all,
  'GET /api/slots': all,
  'GET /api/legal/operator': all,
  'GET /api/legal/agreement': all,
  'GET /api/legal/:text': all,
  'GET /api/slots/:slotId': all,
  'GET /api/live': all,
  'GET /api/connect/live': all,
  'GET /api/market': all,
  'POST /api/engagement': all,
  'POST /api/errors': all,
  'GET /api/contact/limit': all,
  'GET /api/contact/question': all,
  'POST /api/products/:id/contact': all,
  'GET /api/market/products/:slug': all,
  'GET /api/market/search': all,
  'GET /api/market/suggestions': all,
  'POST /api/products/:id/report': all,
  'GET /api/favourites': all,
  'GET /api/favourites/cards': all,
  'PUT /api/favourites/:code': all,
  'DELETE /api/favourites/:code': all,
  'POST /favourites/:code': all,
  'GET /api/push': signedIn,
  'PUT /api/push': signedIn,
  'DELETE /api/push': signedIn,
  'GET /api/alerts': signedIn,
  'GET /api/alerts/device': all,
  'POST /alerts': all,
  'POST /alerts/device': all,
  'POST /alerts/:id': signedIn,
  'POST /alerts/channel': signedIn,
  'POST /alerts/end/:token': all,
  'POST /contact/:id': all,
  'POST /report/:id': all,
  'POST /connect/:reference/report': all,
  'POST /preferences': all,
  'POST /agree': signedIn,
  'POST /api/payments/fees': ['seller'],
  'POST /pay/fee': ['seller'],
  'GET /api/receipts/:name': signedIn,
  'GET /api/payments/fees': ['seller'],
  'POST /api/payments/network': signedIn,
  'GET /api/payments/:id': signedIn,
  'GET /api/admin/legal': ['admin'],
  'POST /api/admin/legal': ['admin'],
  'POST /api/admin/legal/preview': ['admin'],
  'GET /api/admin/legal/requests': ['admin'],
  'POST /api/admin/legal/requests': ['admin'],
  'POST /api/admin/legal/requests/:id/close': ['admin'],
  'GET /api/demo/outbox': all,
  'GET /api/demo/people': all,
  'GET /api/demo/chat': all,
  'POST /demo/chat': all,
  'GET /demo/chat/photo/:ref': all,
  'GET /demo/oidc/*': all,
  'POST /demo/oidc/*': all,
  'POST /demo/sign-in': all,
  'GET /api/auth/google': all,
  'GET /api/auth/callback/google': all,
  'GET /api/auth/me': all,
  'POST /api/auth/sign-up': all,
  'POST /api/auth/sign-in': all,
  'POST /api/auth/sign-in/form': all,
  'GET /api/auth/sign-in/form': all,
  'POST /api/auth/admin/sign-in': all,
  'POST /api/auth/verify-email': all,
  'POST /api/auth/sign-in-link': all,
  'POST /api/auth/sign-in-link/use': all,
  'POST /api/auth/resend-verification': all,
  'POST /api/auth/forgot-password': all,
  'POST /api/auth/reset-password': all,
  'PUT /api/auth/profile': ['member', 'seller', 'admin'],
  'GET /api/account': signedIn,
  'PUT /api/account/name': signedIn,
  'PUT /api/account/language': signedIn,
  'PUT /api/account/password': signedIn,
  'POST /api/account/password/link': signedIn,
  'POST /api/account/email': signedIn,
  'POST /api/account/email/confirm': signedIn,
  'POST /api/account/email/change': signedIn,
  'POST /api/account/email/change/resend': signedIn,
  'DELETE /api/account/email/change': signedIn,
  'POST /api/account/email/change/confirm': all,
  'POST /api/account/email/take-back': all,
  'POST /api/account/sign-ins/:provider/disconnect': signedIn,
  'DELETE /api/account/sessions/:id': signedIn,
  'PUT /api/account/letters/:kind': signedIn,
  'POST /api/account/export': signedIn,
  'GET /api/account/export/:id': signedIn,
  'POST /api/account/leave': signedIn,
  'POST /api/account/stay': signedIn,
  'POST /api/uploads': selling,
  'DELETE /api/uploads/:id': selling,
  'GET /api/drafts': ['seller'],
  'PUT /api/drafts': ['seller'],
  'DELETE /api/drafts/:key': ['seller'],
  'POST /api/products': selling,
  'GET /api/products/payees': selling,
  'GET /api/products/mine': ['seller'],
  'GET /api/products/:id/own': ['seller'],
  'PUT /api/products/:id': ['seller'],
  'POST /api/products/:id/withdraw': ['seller'],
  'POST /api/products/:id/sold': ['seller'],
  'POST /api/products/:id/status-picture': ['seller'],
  'POST /api/products/:id/relist': ['seller'],
  'PUT /api/products/:id/again': ['seller'],
  'GET /api/credits': signedIn,
  'GET /api/credits/statement.csv': signedIn,
  'GET /api/credits/purchases': signedIn,
  'POST /api/credits/purchases': signedIn,
  'POST /api/credits/purchases/:id/cancel': signedIn,
  'GET /api/credits/weekly-limit': signedIn,
  'POST /api/payments/:adapter/callback': all,
  'GET /api/chats': signedIn,
  'POST /api/chats/code': signedIn,
  'PUT /api/chats/:id': signedIn,
  'POST /api/chats/:id/open': signedIn,
  'DELETE /api/chats/:id': signedIn,
  'POST /bot/telegram': all,
  'GET /bot/whatsapp': all,
  'POST /bot/whatsapp': all,
  'GET /api/shops/:slug': all,
  'POST /api/shops/:slug/report': all,
  'POST /report/shop/:slug': all,
  'GET /api/market/around/:id': all,
  'GET /api/admin/reports/shops': team,
  'POST /api/admin/reports/shops/:id/resolve': team,
  'GET /api/connect/posts': all,
  'GET /api/connect/posts/mine': signedIn,
  'GET /api/connect/paid': signedIn,
  'GET /api/connect/posts/:reference': all,
  'POST /api/connect/posts': signedIn,
  'POST /api/connect/posts/:reference/responses': signedIn,
  'POST /api/connect/posts/:reference/updates': signedIn,
  'PUT /api/connect/posts/:reference/status': signedIn,
  'POST /api/connect/posts/:reference/views': all,
  'POST /api/connect/posts/:reference/report': all,
  'GET /api/admin/connect/posts': team,
  'GET /api/admin/connect/posts/:reference/reports': team,
  'POST /api/admin/connect/posts/:reference/hide': team,
  'POST /api/admin/connect/posts/:reference/unhide': team,
  'POST /api/admin/connect/posts/:reference/resolve': team,
  'GET /api/admin/live': team,
  'GET /api/admin/products/pending': team,
  'GET /api/admin/products/edits': team,
  'GET /api/admin/products/:id': adminOnly,
  'PUT /api/admin/products/:id': adminOnly,
  'POST /api/admin/products/bulk': team,
  'POST /api/admin/products/:id/approve': team,
  'POST /api/admin/products/:id/reject': team,
  'POST /api/admin/products/:id/edit/:decision': team,
  'POST /api/admin/jobs/process-queue': adminOnly,
  'GET /api/admin/slots': adminOnly,
  'PUT /api/admin/slots/:slotId': adminOnly,
  'POST /api/admin/slots/:slotId/assign': adminOnly,
  'POST /api/admin/slots/:slotId/pause': adminOnly,
  'POST /api/admin/slots/:slotId/resume': adminOnly,
  'POST /api/admin/slots/:slotId/remove': adminOnly,
  'GET /api/admin/queue': adminOnly,
  'GET /api/admin/queue/stats': adminOnly,
  'GET /api/admin/queue/removed': adminOnly,
  'POST /api/admin/queue/rebuild': adminOnly,
  'POST /api/admin/queue/:id/assign': adminOnly,
  'POST /api/admin/queue/:id/move': adminOnly,
  'POST /api/admin/queue/:id/remove': adminOnly,
  'POST /api/admin/queue/:id/restore': adminOnly,
  'GET /api/admin/sellers': adminOnly,
  'GET /api/admin/sellers/barred': adminOnly,
  'POST /api/admin/sellers/unbar': adminOnly,
  'GET /api/admin/notifications/:id': adminOnly,
  'POST /api/admin/sellers/:id/suspend': adminOnly,
  'POST /api/admin/sellers/:id/unsuspend': adminOnly,
  'POST /api/admin/sellers/:id/verify': adminOnly,
  'POST /api/admin/sellers/:id/unverify': adminOnly,
  'POST /api/admin/sellers/:id/chat-code': adminOnly,
  'POST /api/admin/sellers/:id/notify': adminOnly,
  'DELETE /api/admin/sellers/:id': adminOnly,
  'GET /api/admin/settings': adminOnly,
  'PUT /api/admin/settings/mark': adminOnly,
  'DELETE /api/admin/settings/mark': adminOnly,
  'PUT /api/admin/settings/:name': adminOnly,
  'GET /api/admin/settings/test-messages': adminOnly,
  'POST /api/admin/settings/test-messages': adminOnly,
  'GET /api/admin/mail': adminOnly,
  'GET /api/admin/team': adminOnly,
  'POST /api/admin/team': adminOnly,
  'DELETE /api/admin/team/:id': adminOnly,
  'GET /api/admin/second-factor': team,
  'POST /api/admin/second-factor/begin': team,
  'POST /api/admin/second-factor/confirm': team,
  'POST /api/admin/second-factor/end': team,
  'GET /api/admin/outages': adminOnly,
  'POST /api/admin/outages/:id': adminOnly,
  'GET /api/admin/fees': adminOnly,
  'PUT /api/admin/fees/:id': adminOnly,
  'GET /api/admin/credits/members': adminOnly,
  'GET /api/admin/credits/members/:number': adminOnly,
  'POST /api/admin/credits/corrections': adminOnly,
  'GET /api/admin/credits/purchases': adminOnly,
  'GET /api/admin/credits/purchases/journal': adminOnly,
  'GET /api/admin/credits/purchases/journal.csv': adminOnly,
  'POST /api/admin/credits/purchases/reconcile': adminOnly,
  'POST /api/admin/credits/purchases/:id/ask': adminOnly,
  'POST /api/admin/credits/purchases/:id/settle': adminOnly,
  'POST /api/admin/credits/purchases/:id/refund': adminOnly,
  'POST /api/admin/credits/purchases/:id/refund-order': adminOnly,
  'POST /api/admin/credits/purchases/:id/close': adminOnly,
  'GET /api/admin/integrity': adminOnly,
  'POST /api/admin/integrity/:id/recheck': adminOnly,
  'POST /api/admin/integrity/:id/approve': adminOnly,
  'GET /api/admin/reports': team,
  'GET /api/admin/reports/closed': team,
  'POST /api/admin/reports/:id/remove': team,
  'POST /api/admin/reports/:id/resolve': team,
  'GET /api/admin/audit': adminOnly,
  'GET /api/admin/analytics': adminOnly,
  'GET /api/admin/analytics.csv': adminOnly,
  'GET /api/admin/dashboard': adminOnly,
  'GET /api/admin/health': adminOnly,
  'POST /api/admin/health': adminOnly,
  'POST /api/admin/cleanup': adminOnly,
  'GET /api/admin/cleanup/stats': adminOnly,
  'GET /api/admin/cleanup/storage': adminOnly,
  'POST /api/account/sessions/end-others': signedIn,
  'POST /sign-out': all,
  'POST /api/auth/sign-out': all,
};

/** Declared method, path and roles of the app's routes. */
const declared = () => {
  const found: Record<string, readonly Role[]> = {};
  for (const entry of market.app.routes) {
    const roles = declarationOf(entry.handler);
    if (roles) found[`${entry.method} ${entry.path}`] = roles;
  }
  return found;
};
const sorted = (table: Record<string, readonly Role[]>) =>
  Object.fromEntries(
    Object.entries(table)
      .map(([name, allowed]) => [name, [...allowed].sort()])
      .sort(),
  );

describe('the route × role matrix', () => {
  test('names every route of the app and the roles that it declares, no more and no fewer', () => {
    expect(sorted(declared())).toEqual(sorted(matrix));
  });

  test('knows every role', () => {
    expect([...roles].sort()).toEqual([...all].sort());
    expect([...everyone].sort()).toEqual([...all].sort());
  });

  test('is whole: nothing answers every method, where a declaration would not be asked for', () => {
    const catchAll = market.app.routes
      .filter((entry) => entry.method === 'ALL')
      .map((entry) => entry.path);
    expect([...new Set(catchAll)].sort()).toEqual(['/*', '/api/*']);
  });

  test('is whole: outside of it nothing is found, for nobody', async () => {
    for (const path of [
      '/api',
      '/api/admin',
      '/api/admin/products',
      '/api/admin/users',
      '/api/auth',
      '/api/auth/session',
      '/api/auth/get-session',
      '/api/auth/list-sessions',
    ]) {
      for (const role of roles)
        expect(
          (await market.request(path, { as: callers[role] })).status,
          `${path} as ${role}`,
        ).toBe(404);
    }
  });
});

const vias = ['web', 'telegram'] as const;

/**
 * Sends a request that passes the gate but changes nothing, from a browser or in-process for a
 * chat.
 */
async function knock(name: string, role: Role, via: (typeof vias)[number]): Promise<Response> {
  const [method = '', path = ''] = name.split(' ');
  const address = path
    .replace(':slotId', '54')
    .replace(':id', id)
    .replace(':decision', 'accept')
    .replace(':adapter', 'simulation')
    .replace(':number', '1')
    .replace('*', 'products/none.webp');
  const content =
    method === 'GET' || method === 'DELETE'
      ? {}
      : path.startsWith('/api')
        ? { json: {} }
        : { form: {} };
  const ctx =
    via === 'web' ? undefined : await chatOf(market, role === 'visitor' ? undefined : who[role]);
  return market.request(address, {
    method,
    as: callers[role],
    ...content,
    ...(ctx ? { ctx } : {}),
  });
}

describe('lets in and refuses', () => {
  test.each(Object.entries(matrix))('%s', async (name, allowed) => {
    const refusals: Record<Role, string> = {
      visitor: 'signInRequired',
      suspendedSeller: 'sellers.suspended',
      member: allowed.includes('seller') ? 'sellers.profileMissing' : 'forbidden',
      seller: 'forbidden',
      moderator: 'forbidden',
      admin: 'forbidden',
    };
    for (const role of roles)
      for (const via of vias) {
        const response = await knock(name, role, via);
        const said = `${role} by ${via}`;
        if (allowed.includes(role)) {
          expect.soft([401, 403, 500], said).not.toContain(response.status);
          continue;
        }
        const { error } = (await response.json()) as { error: { code: string } };
        expect
          .soft([response.status, error.code], said)
          .toEqual([role === 'visitor' ? 401 : 403, refusals[role]]);
      }
  });
});

describe('a route that does not say who may call it', () => {
  const silent = (c: { text: (body: string) => Response }) => c.text('open');
  const declaring = route({ who: ['admin'], tag: 'admin', summary: 'x' });

  test('is reported, also deep inside another app', () => {
    const inner = new Hono<AppEnv>().get('/open', silent).post('/declared', declaring, silent);
    const app = new Hono<AppEnv>().get('/here', declaring, silent).route('/inner', inner);
    expect(undeclaredRoutes(app)).toEqual(['GET /inner/open']);
  });

  test('is reported for each method by itself', () => {
    const app = new Hono<AppEnv>()
      .get('/a', declaring, silent)
      .post('/a', silent)
      .delete('/a', silent);
    expect(undeclaredRoutes(app)).toEqual(['POST /a', 'DELETE /a']);
  });

  test('is not to be found in the product', () => {
    expect(undeclaredRoutes(market.app)).toEqual([]);
  });
});
