import { randomUUID } from 'node:crypto';
import { eq, isNotNull } from 'drizzle-orm';
import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { hidePost } from '../../api/connect/hide.ts';
import { publishPost } from '../../api/connect/publish.ts';
import { reportPost } from '../../api/connect/report.ts';
import { newPost } from '../../api/connect/schema.ts';
import { correctCredits } from '../../api/credits/correct.ts';
import { recordEvent } from '../../api/engagement/record.ts';
import { buyCredits } from '../../api/payments/buy.ts';
import { settlePurchase } from '../../api/payments/settle.ts';
import { edit } from '../../api/products/edit.ts';
import { reject } from '../../api/products/review/reject.ts';
import { removeFromQueue } from '../../api/queue/remove.ts';
import { removeReported } from '../../api/reports/remove.ts';
import { reportListing } from '../../api/reports/report.ts';
import { reportShop } from '../../api/reports/reportShop.ts';
import { notifySeller } from '../../api/sellers/notify.ts';
import { completeProfile } from '../../api/sellers/profile.ts';
import { removeSeller } from '../../api/sellers/remove.ts';
import { schema } from '../../db/client.ts';
import { signInAdmin, signUpSeller, suspend } from '../support/actors.ts';
import { faultsOn } from '../support/axe.ts';
import { grant } from '../support/credits.ts';
import { sturdy } from '../support/database.ts';
import { layoutFaults } from '../support/layout.ts';
import { openMarket, phone } from '../support/market.ts';
import { endless } from '../support/names.ts';
import { paidPost } from '../support/posts.ts';
import { approved, draft, live, productRow, submitted } from '../support/products.ts';
import { visitAs } from '../support/visits.ts';
import { englishOn } from '../support/wording.ts';

/**
 * Unbreakable texts of maximal length everywhere: no page may fall apart (design: Layout). French
 * words are longer, so all is in French, and must also be accessible and without English sentences:
 * the journeys of the other files run in English.
 */
const language = 'fr';
/** In the theme that fewest people see; `contrast.test.ts` holds both by their colours. */
const dark = { language, colorScheme: 'dark' } as const;
const market = await openMarket({ DEMO: '1' });
const email = (first: string) =>
  `${first}${'m'.repeat(59)}@${'w'.repeat(60)}.${'m'.repeat(60)}.example`;
const place = `${endless(49)},${endless(48)}`;
const person = (first: string) => ({
  name: first + endless(99),
  email: email(first),
  location: place,
});
const [seller, suspended, deleted, admin] = await Promise.all([
  signUpSeller(market, person('a')),
  signUpSeller(market, person('b')),
  signUpSeller(market, person('c')),
  signInAdmin(market, { name: endless(100), email: email('d') }),
]);
const long = {
  name: { en: endless(200), fr: endless(200) },
  description: { en: `${endless(300)} ${endless(1000)}`, fr: `${endless(300)} ${endless(1000)}` },
  price: 10_000_000,
  businessName: endless(100),
  sellerLocation: place,
};
const note = endless(500);
const at = { premium: 0, standard: 0, ended: '', live: '', post: '', shop: '' };

beforeAll(async () => {
  const asAdmin = await market.ctx(admin);
  await suspend(market, suspended, note);
  await removeSeller(asAdmin, deleted.sellerId ?? '');
  await live(market, seller, admin, long);
  market.clock.advance({ hours: 72, minutes: 1 });
  await market.runNow('process-queue');
  const [over] = await market.db
    .select()
    .from(schema.listings)
    .where(isNotNull(schema.listings.endedAt));
  at.ended = `/shop/11/${(await productRow(market, over?.productId ?? '')).slug}`;
  at.premium = (await live(market, seller, admin, { ...long, listingType: 'featured' })).slotId;
  const standard = await live(market, seller, admin, long);
  at.standard = standard.slotId;
  at.live = standard.id;
  const { name, description, price } = long;
  const { category, sellerName, sellerWhatsapp } = draft();
  const images = (await productRow(market, standard.id)).images.length;
  const uploads = await market.db
    .select()
    .from(schema.uploads)
    .where(eq(schema.uploads.productId, standard.id));
  expect(uploads).toHaveLength(images);
  const changes = {
    description,
    price,
    category,
    sellerName,
    sellerWhatsapp,
    images: uploads.map(({ id }) => id),
    sellerLocation: place,
  };
  await edit(await market.ctx(seller), standard.id, {
    ...changes,
    name: { en: `b${name.en.slice(1)}`, fr: name.fr },
    businessName: `b${note.slice(1, 100)}`,
  });
  await reportListing(await market.ctx(), standard.id, { reason: 'unavailable', note });
  await completeProfile(await market.ctx(seller), {
    name: seller.name,
    // Not what "nobody found" searches for.
    businessName: `b${endless(99)}`,
  });
  const [shop] = await market.db.select().from(schema.shopSlugs);
  at.shop = shop?.slug ?? '';
  await reportShop(await market.ctx(), at.shop, { reason: 'other', note });
  const removed = await live(market, seller, admin, long);
  await reportListing(await market.ctx(), removed.id, { reason: 'misleading', note });
  await removeReported(asAdmin, removed.id, note);
  await removeFromQueue(asAdmin, (await approved(market, seller, admin, long)).id);
  await approved(market, seller, admin, long);
  await approved(market, seller, admin, {
    ...long,
    listingType: 'featured',
    preferredFeaturedSlot: 3,
  });
  await reject(asAdmin, (await submitted(market, seller, long)).id, note);
  await submitted(market, seller, long);
  const incomplete = await submitted(market, seller, long);
  await sturdy(() =>
    market.db
      .update(schema.products)
      .set({ category: null, city: null, sellerLocation: null })
      .where(eq(schema.products.id, incomplete.id)),
  );
  await notifySeller(asAdmin, seller.sellerId ?? '', { subject: endless(150), message: note });
  const words = {
    title: endless(100),
    description: endless(500),
    tags: ['a', 'b', 'c'].map((first) => first + endless(29)),
  };
  at.post = await paidPost(market, seller, {
    ...words,
    location: endless(100),
    city: endless(100),
    region: endless(100),
    budgetMax: 9_999_999_999,
  });
  for (const type of ['view', 'click', 'share'] as const)
    await recordEvent(await market.ctx(), {
      slotId: standard.slotId,
      productId: standard.id,
      type,
    });
  await market.runNow('roll-up-engagement');
  await grant(market, seller, 99_999);
  const post = newPost.parse({
    title: endless(100),
    description: endless(500),
    category: 'services_business',
    contactWhatsapp: '699001000',
  });
  for (let n = 0; n < 2; n++) {
    const { reference } = await publishPost(await market.ctx(seller), post, randomUUID());
    await reportPost(await market.ctx(), reference, { reason: 'forbidden', note: endless(300) });
    if (n === 0) await hidePost(asAdmin, reference, { reason: endless(300), refund: true });
  }
  await correctCredits(
    asAdmin,
    { userId: seller.userId, amount: -1, reason: endless(300) },
    randomUUID(),
  );
  for (let n = 0; n < 2; n++) {
    const { id } = await buyCredits(await market.ctx(seller), 'cash_partner', randomUUID());
    if (n === 0) await settlePurchase(asAdmin, id, endless(100));
  }
  market.pageCache.drop();
});

type Screen = [name: string, path: string, ...then: ((page: Page) => Promise<unknown>)[]];
/** Instead of a path: stays on the page before, with its dialog closed. */
const same = '';
const wait = (selector: string) => (page: Page) => page.locator(selector).first().waitFor();
const press =
  (selector: string, nth = 0) =>
  (page: Page) =>
    page.locator(selector).nth(nth).click();
const dialog =
  (selector: string, nth = 0) =>
  (page: Page) =>
    press(selector, nth)(page).then(() => wait('dialog[open]')(page));
const unfold = (page: Page) =>
  page.evaluate(() => {
    for (const part of document.querySelectorAll('details')) part.open = true;
  });
/** The wizard's next step. */
const next = (step: string) => (page: Page) =>
  press('.wizard__foot [type=submit]')(page).then(() =>
    page.waitForFunction((wanted) => history.state?.step === wanted, step),
  );

/** Faults of layout, accessibility and wording. */
async function look(page: Page, all: readonly Screen[]): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, path, ...steps] of all) {
    await page.setViewportSize({ width: 1280, height: 900 });
    if (path !== same) await page.goto(`/${language}${path}`);
    else if (await page.locator('dialog[open]').count()) {
      await page.keyboard.press('Escape');
      await page.locator('dialog[open]').waitFor({ state: 'detached' });
    }
    for (const step of steps) await step(page);
    faults.push(...(await layoutFaults(page, name)));
    await page.setViewportSize(phone);
    const told = [...(await faultsOn(page)), ...(await englishOn(page))];
    faults.push(
      ...told
        // A title of two hundred letters scrolls, which no real one does.
        .filter((fault) => !fault.startsWith('scrollable-region-focusable'))
        .map((fault) => `${name}: ${fault}`),
    );
  }
  return faults;
}

test('what everybody sees', async () => {
  const page = await market.visit(dark);
  const { premium, standard, ended } = at;
  const awake = (there: Page) => there.locator('dialog[data-live]').waitFor({ state: 'attached' });
  const faults = await look(page, [
    ['home', '/', wait('.stall h3')],
    ['contact on home', same, awake, dialog('[data-stall="11"] [data-action=contact]')],
    ['premium product', `/shop/slot/${premium}`, wait('h1')],
    [
      'product',
      `/shop/slot/${standard}`,
      awake,
      press('.report summary'),
      press('[data-action=share]'),
      wait('.notice'),
    ],
    ['contact', same, awake, dialog('[data-action=contact]')],
    ['details', `/shop/${standard}/details`, wait('.prose')],
    ['ended product', ended, wait('.gone__name')],
    ['shop', `/shops/${at.shop}`, wait('h1')],
    [
      'post',
      `/connect/${at.post}`,
      wait('.paper'),
      press('.report summary'),
      press('[popovertarget=sign-in-first]'),
    ],
    ['outbox', '/demo/outbox', wait('.letter')],
    ['chat', '/demo/chat', wait('.talk__empty')],
    ['sign-in', `/sign-in?next=${encodeURIComponent(ended)}`, wait('[type=submit]:enabled')],
    [
      'join',
      '/sign-in?mode=sign-up',
      wait('[type=submit]:enabled'),
      press('[type=submit]'),
      wait('[aria-invalid=true]'),
    ],
    [
      'seller’s sign-up',
      '/seller/auth?mode=sign-up',
      wait('[type=submit]:enabled'),
      press('[type=submit]'),
      wait('[aria-invalid=true]'),
    ],
    ['forgotten password', '/forgot-password', wait('[type=submit]:enabled')],
    ['new password', '/reset-password?token=x', wait('[type=submit]:enabled')],
    ['verification', '/email-verification?token=x', wait('main [name=email]')],
    ['mailed link', '/sign-in-link?token=x', wait('main button:enabled')],
    ['admin’s sign-in', '/admin/auth', wait('[type=submit]:enabled')],
    ['question that is over', `/contact/question?token=x&slot=${standard}`, wait('h1')],
    ['how it works', '/how-it-works', wait('h1')],
    ['privacy', '/privacy', wait('.legal__kind')],
    ['terms', '/terms', wait('h1')],
    ['Connect', '/connect', wait('.card')],
    ['nothing found', '/connect?search=zzzz', wait('.state, .posts__none, main h2')],
    ['unknown address', '/nowhere', wait('h1')],
  ]);
  expect(faults).toEqual([]);
});

test('what sellers see', async () => {
  const page = await visitAs(market, seller, dark);
  const change = `/seller/products/${at.live}/edit`;
  const faults = await look(page, [
    ['dashboard', '/seller/dashboard', wait('.listing'), unfold],
    ['own post', `/connect/${at.post}`, wait('.post__figures')],
    ['update', `/connect/${at.post}?update`, wait('dialog[open]')],
    ['own posts', '/connect/mine', wait('.card')],
    ['new post', '/connect?new', wait('dialog[open] [name=title]')],
    ['sold', '/seller/dashboard', dialog('[data-act=sold]:enabled')],
    ['list again', same, dialog('[data-act=relist]:enabled')],
    ['profile', '/seller/dashboard?edit=profile', wait('.profile')],
    ['account', '/account', wait('[data-act=delete]:enabled')],
    ['deletion of the account', same, dialog('[data-act=delete]:enabled')],
    ['download of one’s data', same, dialog('[data-act=export]:enabled')],
    ['wizard', change, wait('.wizard__foot [type=submit]:enabled')],
    ['wizard’s price', same, wait('.wizard__foot [type=submit]:enabled'), next('pricing')],
    ['wizard’s photos', same, next('images')],
    ['wizard’s seller', same, next('seller')],
    ['wizard’s review', same, next('review')],
    ['new product', '/seller/upload', wait('.wizard__foot [type=submit]:enabled')],
  ]);
  const shut = await visitAs(market, suspended, dark);
  faults.push(...(await look(shut, [['suspended', '/seller/dashboard', wait('.why')]])));
  expect(faults).toEqual([]);
});

const ofAdmins: Screen[] = [
  ['account', '/account', wait('[data-act=delete]:enabled')],
  ['dashboard', '/admin/dashboard', wait('.recent__slot')],
  ['data integrity', '/admin/dashboard?tab=integrity', wait('.integrity__id')],
  ['approve anyway', same, dialog('td.table__actions .button:enabled', 1)],
  ['health', '/admin/dashboard?tab=health', wait('[role=tabpanel] h2')],
  ['pending', '/admin/products/pending', wait('.submission--change')],
  ['preview', same, dialog('.submission__actions .button--bare')],
  ['approve', same, dialog('.submission__actions button.button--primary')],
  ['reject', same, dialog('.submission__actions button:not(.button--primary)')],
  ['approve several', same, press('.bulk__all input'), dialog('.bulk__acts .button')],
  ['approve change', same, dialog('.submission--change .button--primary')],
  ['slots', '/admin/slots', wait('.slot__words')],
  ['edit slot', same, dialog('.slot__acts .button')],
  ['pause slot', same, dialog('.slot__acts .button', 1)],
  ['remove from slot', same, dialog('.slot__acts .button', 2)],
  ['fill slot', same, dialog('.slot--free .button'), wait('dialog select')],
  ['queue', '/admin/queue', wait('.waiting'), press('.removed summary')],
  ['assign', same, dialog('[data-act=assign]'), wait('dialog select')],
  ['remove from queue', same, dialog('[data-act=remove]')],
  ['sellers', '/admin/users', wait('.sellers__name')],
  ['verify', same, dialog('tr:not(:has(.badge--bad)) td.table__actions .button')],
  ['suspend', same, dialog('tr:not(:has(.badge--bad)) td.table__actions .button', 1)],
  ['notify', same, dialog('tr:not(:has(.badge--bad)) td.table__actions .button', 2)],
  ['delete', same, dialog('tr:not(:has(.badge--bad)) td.table__actions .button', 3)],
  ['nobody found', `/admin/users?search=${'Mw'.repeat(50)}`, wait('.state')],
  ['barred', '/admin/users?tab=barred', wait('.sellers__address')],
  ['unbar', same, dialog('td.table__actions .button')],
  ['reports', '/admin/reports', wait('.reported')],
  ['dismiss', same, dialog('.reported__acts button')],
  ['reported shops', '/admin/reports?tab=shops', wait('.reported h2')],
  ['closed reports', '/admin/reports', press('[role=tab]', 2), wait('.reported h2')],
  ['restore', same, dialog('.reported button')],
  ['audit log', '/admin/audit', wait('.audit__entry'), unfold],
  ['posts of Connect', '/admin/connect', wait('.reported__notes li')],
  ['post taken down', same, dialog('.reported__acts .button--danger')],
  ['reports of a post', same, dialog('.reported__acts button')],
  [
    'hidden posts',
    '/admin/connect?show=hidden',
    wait('.posts__why'),
    press('.posts__reports summary'),
    wait('.reported__notes li'),
  ],
  ['post put back', same, dialog('.reported__acts button')],
  ['purchases', '/admin/credits', wait('td.table__actions')],
  ['cash settled', same, dialog('td.table__actions .button')],
  ['purchase ended', same, dialog('td.table__actions .button', 1)],
  ['completed purchases', '/admin/credits?status=completed', wait('td.table__actions')],
  ['members', '/admin/credits?tab=members&search=mm', wait('td.table__actions')],
  ['ledger', '/admin/credits', press('td.table__actions .button', 2), wait('.credits__head')],
  ['correction', same, dialog('.credits__head .button')],
  ['cleanup', '/admin/cleanup', wait('.figure')],
  ['analytics', '/admin/analytics', wait('.top')],
  ['settings', '/admin/settings', wait('main form [name]')],
  ['second factor', '/admin/settings?tab=factor', wait('main .button:enabled')],
  ['fees', '/admin/settings?tab=fees', wait('td.table__actions')],
  ['fee paid', same, dialog('td.table__actions .button')],
  [
    'paused',
    '/admin/slots',
    dialog('.slot__acts .button', 4),
    press('dialog[open] .button--primary'),
    wait('[data-sonner-toast]'),
  ],
];

// Their journeys check the layout in English.
const half = ofAdmins.findIndex(([name]) => name === 'queue');
test.each([
  { part: 'products and slots', screens: ofAdmins.slice(0, half) },
  { part: 'the queue and all after it', screens: ofAdmins.slice(half) },
])('what admins see, and every question that they are asked: $part', async ({ screens }) => {
  const page = await visitAs(market, admin, dark);
  expect(await look(page, screens)).toEqual([]);
});
