import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hidePost } from '../../api/connect/hide.ts';
import { publishPost } from '../../api/connect/publish.ts';
import { reportPost } from '../../api/connect/report.ts';
import { newPost } from '../../api/connect/schema.ts';
import type { Role } from '../../api/core/access.ts';
import type { Ctx } from '../../api/core/context.ts';
import { declarationOf } from '../../api/http/route.ts';
import { recordRequest } from '../../api/legal/recordRequest.ts';
import { askAgain } from '../../api/payments/askAgain.ts';
import { buyCredits } from '../../api/payments/buy.ts';
import { settlePurchase } from '../../api/payments/settle.ts';
import { edit } from '../../api/products/edit.ts';
import { removeFromQueue } from '../../api/queue/remove.ts';
import { reportListing } from '../../api/reports/report.ts';
import { notifySeller } from '../../api/sellers/notify.ts';
import { removeSeller } from '../../api/sellers/remove.ts';
import { verifySeller } from '../../api/sellers/verify.ts';
import { pauseSlot } from '../../api/slots/pause.ts';
import { schema } from '../../db/client.ts';
import { codeOf } from '../support/account.ts';
import {
  actors,
  type Person,
  signInAdmin,
  signUpSeller,
  suspend,
  unsuspend,
} from '../support/actors.ts';
import { type Ask, nameless, shapeOf } from '../support/answers.ts';
import { testApp } from '../support/app.ts';
import { chatOf } from '../support/chat.ts';
import { grant } from '../support/credits.ts';
import { undecided } from '../support/outages.ts';
import { jpeg } from '../support/photos.ts';
import {
  approved,
  draft,
  draftJson,
  live,
  productRow,
  runQueue,
  submitted,
  uploadPhoto,
} from '../support/products.ts';
import { shopReport } from '../support/sellers.ts';

const market = await testApp();
const who = await actors(market);
const { seller, otherSeller, admin } = who;
const ofAdmin = () => market.ctx(admin);
const idOf = ({ sellerId }: Person) => sellerId ?? '';
const none = { en: '', fr: '' };
const shape = true as const;
const dataRequest = { kind: 'see', person: 'x', received: '2026-11-20', note: '' } as const;
type Row = () => Ask | Promise<Ask>;

const asSeller = (ask: Omit<Ask, 'as'> = {}): Ask => ({ as: seller, ...ask });
const asAdmin = (ask: Omit<Ask, 'as'> = {}): Ask => ({ as: admin, ...ask });
/** Asks as a new person whom no other request uses. */
const own =
  (ask: (person: Person) => Omit<Ask, 'as'> | Promise<Omit<Ask, 'as'>> = () => ({})) =>
  async (): Promise<Ask> => {
    const as = await signUpSeller(market);
    return { as, ...(await ask(as)) };
  };
const ofLive = async () => asSeller({ path: [(await live(market, seller, admin)).id] });
const read = (query?: string) => () => asAdmin(query === undefined ? {} : { query });
const changed = async () => {
  const {
    listingType: _l,
    durationHours: _d,
    paymentMethod: _p,
    preferredFeaturedSlot: _s,
    ...rest
  } = draft({ images: [await uploadPhoto(market, seller)] });
  return rest;
};
/** A seller's expired product. */
async function ended(): Promise<string> {
  const { id, endTime } = await live(market, seller, admin);
  market.clock.set(endTime);
  await runQueue(market);
  return id;
}
async function factor(confirmed: boolean): Promise<{ as: Person; code: string }> {
  const as = await signInAdmin(market);
  const post = async (path: string, json: unknown) =>
    (await market.call<{ secret: string }>(`/api/admin/second-factor/${path}`, { json, as })).body;
  const { secret } = await post('begin', { password: as.password });
  const code = () => codeOf(secret, market.clock.now());
  if (confirmed) {
    await post('confirm', { code: code() });
    market.clock.advance({ seconds: 30 });
  }
  return { as, code: code() };
}

/** Reads that take nothing. */
const plain = (paths: string, row: Row) =>
  Object.fromEntries(paths.split(' ').map((path) => [`GET /api/${path}`, row]));

/**
 * Every route for sellers or admins, called once as they would. A new route without a row here, or
 * a reason in {@link onWebAlone}, fails the first test.
 */
const rows: Record<string, Row> = {
  'GET /api/legal/:text': () => asSeller({ path: ['terms'] }),
  ...plain('slots legal/operator legal/agreement market contact/limit auth/me', () => asSeller()),
  ...plain('drafts products/payees credits/statement.csv credits/purchases', () => asSeller()),
  ...plain('credits/weekly-limit connect/posts/mine alerts alerts/device', () => asSeller()),
  ...plain('favourites favourites/cards', () => asSeller()),
  ...plain('admin/products/edits admin/slots admin/queue/stats admin/queue/removed', read()),
  ...plain('admin/sellers/barred admin/settings admin/second-factor admin/team', read()),
  ...plain('admin/outages admin/fees admin/credits/purchases admin/integrity', read()),
  ...plain('admin/reports admin/reports/closed admin/reports/shops admin/audit', read()),
  ...plain('admin/analytics admin/analytics.csv admin/cleanup/stats admin/legal', read()),
  ...plain('admin/credits/purchases/journal admin/credits/purchases/journal.csv', read()),
  ...plain('admin/legal/requests', read()),
  'POST /api/admin/legal': () => asAdmin({ json: { after: 0, terms: none, privacy: none } }),
  'POST /api/admin/legal/requests': () => asAdmin({ json: dataRequest, shape }),
  'POST /api/admin/legal/requests/:id/close': async () =>
    asAdmin({ path: [await recorded()], json: { outcome: 'x' }, shape }),
  'POST /api/admin/legal/preview': () => asAdmin({ json: { text: '# Rules' } }),
  'GET /api/slots/:slotId': async () =>
    asSeller({ path: [(await live(market, otherSeller, admin)).slotId] }),
  'GET /api/market/products/:slug': async () => {
    const { id } = await live(market, seller, admin);
    const [row] = await market.sql`select slug from products where id = ${id}`;
    return asSeller({ path: [row?.slug] });
  },
  'PUT /api/favourites/:code': async () =>
    asSeller({ path: [(await live(market, otherSeller, admin)).id.slice(0, 8)], shape }),
  'DELETE /api/favourites/:code': () => asSeller({ path: ['gone'] }),
  'POST /api/engagement': async () => {
    const { slotId, id: productId } = await live(market, otherSeller, admin);
    return asSeller({ json: { slotId, productId, type: 'view' } });
  },
  'POST /api/products/:id/contact': async () =>
    asSeller({ path: [await another()], json: { consent: true } }),
  'POST /api/products/:id/report': async () =>
    asSeller({ path: [await another()], json: { reason: 'fraud' } }),
  'PUT /api/auth/profile': () =>
    asSeller({ json: { name: seller.name, location: 'Kribi, South' } }),
  'GET /api/account': () => asSeller({ shape: true }),
  'PUT /api/account/name': () => asSeller({ json: { name: seller.name } }),
  'PUT /api/account/language': () => asSeller({ json: { language: 'en' } }),
  'PUT /api/account/password': own(({ password }) => ({
    json: { password, newPassword: 'another good one' },
    shape: true,
  })),
  'POST /api/account/password/link': own(),
  'POST /api/account/sign-ins/:provider/disconnect': own(async ({ userId, password }) => {
    await market.db
      .insert(schema.account)
      .values({ id: `of ${userId}`, accountId: userId, providerId: 'google', userId });
    return { path: ['google'], json: { password } };
  }),
  'POST /api/account/sessions/end-others': own(() => ({ shape: true })),
  'DELETE /api/account/sessions/:id': own(async ({ userId }) => {
    const [session] = await market.sql`select id from session where user_id = ${userId}`;
    return { path: [session?.id] };
  }),
  'PUT /api/account/letters/:kind': () => asSeller({ path: ['productLive'], json: { on: true } }),
  'POST /api/account/export': own(({ password }) => ({ json: { password } })),
  'POST /api/account/leave': own(({ password }) => ({ json: { password } })),
  'POST /api/account/stay': () => asSeller(),
  'POST /api/uploads': async () => asSeller({ body: (await jpeg()) as never }),
  'DELETE /api/uploads/:id': async () => asSeller({ path: [await uploadPhoto(market, seller)] }),
  'PUT /api/drafts': () =>
    asSeller({ json: { key: randomUUID(), seen: null, answers: {}, photos: [] }, shape: true }),
  'DELETE /api/drafts/:key': () => asSeller({ path: [randomUUID()] }),
  'POST /api/products': async () =>
    asSeller({ json: draftJson({ images: [await uploadPhoto(market, seller)] }) }),
  'GET /api/products/mine': async () => (await submitted(market, seller)) && asSeller(),
  'GET /api/products/:id/own': async () =>
    asSeller({ path: [(await submitted(market, seller)).id] }),
  'PUT /api/products/:id': async () =>
    asSeller({ path: [(await submitted(market, seller)).id], json: await changed() }),
  'POST /api/products/:id/withdraw': async () =>
    asSeller({ path: [(await submitted(market, seller)).id] }),
  'POST /api/products/:id/sold': ofLive,
  'POST /api/products/:id/status-picture': ofLive,
  'POST /api/products/:id/relist': async () => asSeller({ path: [await ended()] }),
  'PUT /api/products/:id/again': async () =>
    asSeller({ path: [(await live(market, seller, admin)).id], json: { wanted: true } }),
  'GET /api/credits': async () => {
    await grant(market, seller, 5);
    return asSeller();
  },
  'POST /api/credits/purchases': () => asSeller({ json: { method: 'stripe' }, ...keyed() }),
  'POST /api/credits/purchases/:id/cancel': async () => asSeller({ path: [await cashPurchase()] }),
  'GET /api/payments/:id': async () => asSeller({ path: [await cashPurchase()] }),
  'POST /api/payments/fees': async () => {
    const { feeReference: reference } = await submitted(market, seller);
    return asSeller({ json: { reference }, ...keyed() });
  },
  'GET /api/admin/products/pending': async () => (await submitted(market, seller)) && asAdmin(),
  'GET /api/admin/products/:id': async () =>
    asAdmin({ path: [(await submitted(market, seller)).id] }),
  'PUT /api/admin/products/:id': async () => {
    const { id } = await submitted(market, seller);
    const { images: _, ...json } = await changed();
    return asAdmin({
      path: [id],
      json: { ...json, seen: (await productRow(market, id)).updatedAt.toISOString() },
    });
  },
  'POST /api/admin/products/bulk': async () =>
    asAdmin({ json: { ids: [(await submitted(market, seller)).id], action: 'approve' } }),
  'POST /api/admin/products/:id/approve': async () =>
    asAdmin({ path: [(await submitted(market, seller)).id] }),
  'POST /api/admin/products/:id/reject': async () =>
    asAdmin({ path: [(await submitted(market, seller)).id], json: { reason: 'Dark photos' } }),
  'POST /api/admin/products/:id/edit/:decision': async () => {
    const { id } = await live(market, seller, admin);
    await edit(await market.ctx(seller), id, await changed());
    return asAdmin({ path: [id, 'approve'], json: {} });
  },
  'POST /api/admin/jobs/process-queue': async () =>
    (await approved(market, seller, admin)) && asAdmin(),
  'PUT /api/admin/slots/:slotId': async () => {
    const { id, slotId } = await live(market, seller, admin);
    return asAdmin({ path: [slotId], json: { productId: id, durationHours: 24 } });
  },
  'POST /api/admin/slots/:slotId/assign': async () =>
    asAdmin({ path: [20], json: { productId: (await approved(market, seller, admin)).id } }),
  'POST /api/admin/slots/:slotId/pause': async () => {
    const { id, slotId } = await live(market, seller, admin);
    return asAdmin({ path: [slotId], json: { productId: id } });
  },
  'POST /api/admin/slots/:slotId/resume': async () => {
    const { id, slotId } = await live(market, seller, admin);
    await pauseSlot(await ofAdmin(), slotId, id);
    return asAdmin({ path: [slotId], json: { productId: id } });
  },
  'POST /api/admin/slots/:slotId/remove': async () => {
    const { id, slotId } = await live(market, seller, admin);
    return asAdmin({ path: [slotId], json: { productId: id } });
  },
  'GET /api/admin/queue': async () =>
    (await approved(market, seller, admin)) && asAdmin({ query: '?queueName=queue:regular' }),
  'POST /api/admin/queue/rebuild': async () =>
    (await approved(market, seller, admin)) && asAdmin({ json: { queueName: 'queue:regular' } }),
  'POST /api/admin/queue/:id/assign': async () =>
    asAdmin({ path: [(await approved(market, seller, admin)).id], json: {} }),
  'POST /api/admin/queue/:id/move': async () => {
    await approved(market, seller, admin);
    return asAdmin({
      path: [(await approved(market, seller, admin)).id],
      json: { direction: 'up' },
    });
  },
  'POST /api/admin/queue/:id/remove': async () =>
    asAdmin({ path: [(await approved(market, seller, admin)).id] }),
  'POST /api/admin/queue/:id/restore': async () => {
    const { id } = await approved(market, seller, admin);
    await removeFromQueue(await ofAdmin(), id);
    return asAdmin({ path: [id] });
  },
  'GET /api/admin/sellers': read('?search=Fotso'),
  'POST /api/admin/sellers/unbar': async () => {
    const gone = await signUpSeller(market);
    await removeSeller(await ofAdmin(), idOf(gone));
    return asAdmin({ json: { email: gone.email } });
  },
  'GET /api/admin/notifications/:id': async () => {
    const { id } = await notifySeller(await ofAdmin(), idOf(seller), {
      subject: 'x',
      message: 'x',
    });
    return asAdmin({ path: [id] });
  },
  'POST /api/admin/sellers/:id/suspend': async () => {
    await unsuspend(market, otherSeller);
    return asAdmin({ path: [idOf(otherSeller)], json: { reason: 'x' } });
  },
  'POST /api/admin/sellers/:id/unsuspend': async () => {
    await suspend(market, otherSeller);
    return asAdmin({ path: [idOf(otherSeller)] });
  },
  'POST /api/admin/sellers/:id/verify': async () => {
    const fresh = await signUpSeller(market);
    return asAdmin({ path: [idOf(fresh)], json: { number: fresh.whatsapp } });
  },
  'POST /api/admin/sellers/:id/unverify': async () => {
    const fresh = await signUpSeller(market);
    await verifySeller(await ofAdmin(), idOf(fresh), { number: fresh.whatsapp });
    return asAdmin({ path: [idOf(fresh)] });
  },
  'POST /api/admin/sellers/:id/chat-code': () => asAdmin({ path: [idOf(seller)], shape: true }),
  'POST /api/admin/sellers/:id/notify': () =>
    asAdmin({ path: [idOf(seller)], json: { subject: 'x', message: 'x' } }),
  'DELETE /api/admin/sellers/:id': async () =>
    asAdmin({ path: [idOf(await signUpSeller(market))] }),
  'PUT /api/admin/settings/mark': async () =>
    asAdmin({ json: { file: (await jpeg()).toString('base64') } }),
  'DELETE /api/admin/settings/mark': () => asAdmin(),
  'PUT /api/admin/settings/:name': () => asAdmin({ path: ['contactPerHour'], json: { value: 7 } }),
  'GET /api/admin/settings/test-messages': () => asAdmin({ shape: true }),
  'POST /api/admin/settings/test-messages': () => asAdmin({ json: { way: 'mail' }, shape: true }),
  'GET /api/admin/mail': () => asAdmin({ shape: true }),
  'POST /api/admin/second-factor/begin': () =>
    asAdmin({ json: { password: admin.password }, shape: true }),
  'POST /api/admin/second-factor/confirm': async () => {
    const { as, code } = await factor(false);
    return { as, json: { code }, shape: true };
  },
  'POST /api/admin/second-factor/end': async () => {
    const { as, code } = await factor(true);
    return { as, json: { password: as.password, code } };
  },
  'POST /api/admin/outages/:id': async () =>
    asAdmin({ path: [await undecided(market)], json: { giveBack: true }, shape: true }),
  'PUT /api/admin/fees/:id': async () => {
    await submitted(market, seller);
    const [listing] = await market.db.select().from(schema.listings);
    return asAdmin({ path: [listing?.id ?? ''], json: { state: 'paid' } });
  },
  'GET /api/admin/credits/members': read('?search=Fotso'),
  'GET /api/admin/credits/members/:number': async () => {
    const { number } = await grant(market, seller, 5);
    return asAdmin({ path: [number] });
  },
  'POST /api/admin/credits/corrections': () =>
    asAdmin({
      json: { userId: seller.userId, amount: 5, reason: 'Paid twice' },
      ...keyed(),
      shape: true,
    }),
  'GET /api/connect/posts': () => asSeller({ query: '?category=repairs' }),
  'GET /api/connect/paid': () => asSeller({ query: `?ids=${randomUUID()}` }),
  'GET /api/connect/posts/:reference': async () =>
    asSeller({ path: [await postOf(seller)], shape: true }),
  'POST /api/connect/posts': async () => {
    await grant(market, seller, 2);
    return asSeller({ json: service, ...keyed(), shape: true });
  },
  'POST /api/connect/posts/:reference/responses': async () => {
    await grant(market, seller, 1);
    return asSeller({ path: [await postOf(otherSeller)], ...keyed(), shape: true });
  },
  'POST /api/connect/posts/:reference/updates': async () =>
    asSeller({
      path: [await postOf(seller)],
      json: { message: 'Still looking' },
      ...keyed(),
      shape: true,
    }),
  'PUT /api/connect/posts/:reference/status': async () =>
    asSeller({ path: [await postOf(seller)], json: { status: 'closed' } }),
  'POST /api/connect/posts/:reference/views': async () =>
    asSeller({ path: [await postOf(otherSeller)] }),
  'POST /api/connect/posts/:reference/report': async () =>
    asSeller({ path: [await postOf(otherSeller)], json: { reason: 'other' } }),
  'GET /api/admin/connect/posts': () => asAdmin({ query: '?show=active' }),
  'GET /api/admin/connect/posts/:reference/reports': async () =>
    asAdmin({ path: [await reportedPost()] }),
  'POST /api/admin/connect/posts/:reference/hide': async () =>
    asAdmin({ path: [await postOf(seller)], json: { reason: 'No service', refund: true } }),
  'POST /api/admin/connect/posts/:reference/unhide': async () =>
    asAdmin({ path: [await hiddenPost()], shape: true }),
  'POST /api/admin/connect/posts/:reference/resolve': async () =>
    asAdmin({ path: [await reportedPost()], json: { resolution: 'A real plumber' } }),
  'POST /api/admin/credits/purchases/:id/settle': async () =>
    asAdmin({ path: [await cashPurchase()], json: { reference: 'RCT-0042' } }),
  'POST /api/admin/credits/purchases/:id/close': async () =>
    asAdmin({ path: [await cashPurchase()], json: { outcome: 'failed', reason: 'No cash came' } }),
  'POST /api/admin/credits/purchases/:id/ask': async () =>
    asAdmin({ path: [await cashPurchase()] }),
  'POST /api/admin/credits/purchases/:id/refund-order': async () => {
    const { id } = await buyCredits(await market.ctx(seller), 'stripe', randomUUID());
    market.clock.advance({ seconds: 2 });
    await askAgain(await market.ctx(admin), id);
    const json = { amount: 10, refunded: 0, reason: 'Paid twice' };
    return asAdmin({ path: [id], json, ...keyed(), shape: true });
  },
  'POST /api/admin/credits/purchases/:id/refund': async () => {
    const id = await cashPurchase();
    await settlePurchase(await market.ctx(admin), id, randomUUID());
    const json = { amount: 10, refunded: 0, reference: 'BACK-1', reason: 'Paid twice' };
    return asAdmin({ path: [id], json, ...keyed(), shape: true });
  },
  'POST /api/admin/integrity/:id/recheck': async () =>
    asAdmin({ path: [(await submitted(market, seller)).id] }),
  'POST /api/admin/integrity/:id/approve': async () =>
    asAdmin({ path: [(await submitted(market, seller)).id] }),
  'POST /api/admin/reports/shops/:id/resolve': async () => asAdmin(await shopReport(market)),
  'POST /api/admin/reports/:id/remove': async () =>
    asAdmin({ path: [await reported()], json: { resolution: 'Taken down' } }),
  'POST /api/admin/reports/:id/resolve': async () =>
    asAdmin({ path: [await reported()], json: { resolution: 'Nothing found' } }),
  'GET /api/admin/dashboard': () => asAdmin({ shape: true }),
  'GET /api/admin/health': () => asAdmin({ shape: true }),
  'POST /api/admin/health': () => asAdmin({ shape: true }),
  'POST /api/admin/cleanup': read(),
  'GET /api/admin/cleanup/storage': () => asAdmin({ shape: true }),
};

const keyed = () => ({ headers: { 'idempotency-key': randomUUID() } });
const service = {
  title: 'A plumber',
  description: 'My tap leaks',
  category: 'repairs',
  contactWhatsapp: '699001000',
} as const;
async function postOf(person: Person): Promise<string> {
  await grant(market, person, 5);
  const post = newPost.parse(service);
  return (await publishPost(await market.ctx(person), post, randomUUID())).reference;
}
const hiddenPost = async () => {
  const reference = await postOf(seller);
  await hidePost(await ofAdmin(), reference, { reason: 'No service', refund: false });
  return reference;
};
const reportedPost = async () => {
  const reference = await postOf(seller);
  await reportPost(await market.ctx(otherSeller), reference, { reason: 'fraud' });
  return reference;
};
const cashPurchase = async () =>
  (await buyCredits(await market.ctx(seller), 'cash_partner', randomUUID())).id;
const reported = async () => {
  const { id } = await live(market, seller, admin);
  await reportListing(await market.ctx(otherSeller), id, { reason: 'fraud' });
  return id;
};

const another = async () => (await live(market, otherSeller, admin)).id;
const recorded = async () => (await recordRequest(await ofAdmin(), dataRequest)).id;

/** Routes for browsers alone: pages, files, event streams, and ways to get a session. */
const onWebAlone = [
  ...'healthz readyz media/* media/cards/:file media/mark/:file sitemap.xml robots.txt .well-known/security.txt sw.js _astro/:name'
    .split(' ')
    .map((path) => `GET /${path}`),
  ...'GET /api/openapi.json,GET /api/docs,GET /api/market/search'.split(','),
  ...'GET /api/market/suggestions,GET /api/shops/:slug,GET /api/market/around/:id'.split(','),
  ...'GET /api/live,GET /api/connect/live,GET /api/admin/live,POST /api/errors'.split(','),
  ...'GET /api/account/export/:id,GET /api/contact/question,GET /manifest.webmanifest'.split(','),
  ...'api/demo/outbox api/demo/people api/demo/chat demo/chat/photo/:ref demo/oidc/* api/auth/google api/auth/callback/google'
    .split(' ')
    .map((path) => `GET /${path}`),
  ...['POST /demo/oidc/*', 'POST /demo/sign-in', 'POST /demo/chat'],
  // The first need a session of their own, or a mailed link, as proof. Payment providers and chat
  // networks call the others without an actor; so does a signed-in person to link a chat.
  ...'email email/confirm email/change email/change/resend email/change/confirm email/take-back'
    .split(' ')
    .map((path) => `POST /api/account/${path}`),
  ...['DELETE /api/account/email/change', 'GET /bot/whatsapp', 'POST /bot/whatsapp'],
  ...'POST /api/payments/:adapter/callback,POST /bot/telegram,GET /api/chats'.split(','),
  ...['POST /api/chats/code', 'PUT /api/chats/:id', 'POST /api/chats/:id/open'],
  'DELETE /api/chats/:id',
  // Forms without JavaScript: their verbs are listed above, or the chat asks itself.
  ...['GET /api/auth/sign-in/form', 'POST /api/auth/sign-in/form', 'POST /contact/:id'],
  ...['POST /report/:id', 'POST /connect/:reference/report', 'POST /agree'],
  ...['POST /api/admin/team', 'DELETE /api/admin/team/:id'],
  ...['POST /pay/fee', 'GET /api/payments/fees', 'POST /api/payments/network'],
  // Files.
  ...['GET /api/receipts/:name', 'POST /api/admin/credits/purchases/reconcile'],
  ...['POST /preferences', 'POST /sign-out', 'GET /metrics', 'POST /api/shops/:slug/report'],
  ...['POST /report/shop/:slug', 'POST /favourites/:code', 'POST /alerts', 'POST /alerts/:id'],
  ...['POST /alerts/end/:token', 'POST /alerts/channel', 'POST /alerts/device'],
  // A chat has no browser.
  ...['GET /api/push', 'PUT /api/push', 'DELETE /api/push'],
  ...'sign-up sign-in admin/sign-in verify-email sign-in-link sign-in-link/use resend-verification forgot-password reset-password'
    .split(' ')
    .map((name) => `POST /api/auth/${name}`),
  'POST /api/auth/sign-out',
];

test('every route of a seller or an admin is asked from a chat, or says why not', () => {
  const acting: readonly Role[] = ['seller', 'admin'];
  const doors = market.app.routes.filter(({ handler }) =>
    declarationOf(handler)?.some((role) => acting.includes(role)),
  );
  expect([...new Set(doors.map(({ method, path }) => `${method} ${path}`))].sort()).toEqual(
    [...Object.keys(rows), ...onWebAlone].sort(),
  );
});

async function outcome(name: string, row: Row, contextOf: (as: Person) => Promise<Ctx>) {
  await market.reset();
  const { as, path = [], query = '', json, body, headers = {}, shape } = await row();
  const [method = '', door = ''] = name.split(' ');
  const address = path.reduce<string>((left, part) => left.replace(/:\w+/, String(part)), door);
  const ctx = await contextOf(as);
  const before = await market.db.$count(schema.auditLog);
  const content = {
    ...(json === undefined ? {} : { json }),
    ...(body === undefined ? {} : { body }),
  };
  const response = await market.request(address + query, { method, ctx, headers, ...content });
  const text = await response.text();
  const all = await market.db.select().from(schema.auditLog).orderBy(schema.auditLog.id);
  const said = shape ? JSON.stringify(shapeOf(JSON.parse(text))) : nameless(text);
  return {
    status: response.status,
    said,
    done: all.slice(before).map(({ action, actorId }) => [action, actorId === as.userId]),
    vias: new Set(all.slice(before).map(({ via }) => via)),
  };
}

describe('the same person is answered in a chat as on the web', () => {
  for (const [name, row] of Object.entries(rows)) {
    test(name, async () => {
      const web = await outcome(name, row, (as) => market.ctx(as));
      const chat = await outcome(name, row, (as) => chatOf(market, as));
      expect(web.status, web.said).toBeLessThan(300);
      expect({ ...chat, vias: undefined }).toEqual({ ...web, vias: undefined });
      expect(
        [...web.vias].every((via) => via === 'web') &&
          [...chat.vias].every((via) => via === 'telegram'),
      ).toBe(true);
    });
  }
});
