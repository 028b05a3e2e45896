import { eq } from 'drizzle-orm';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../db/client.ts';
import { dictionaries } from '../../locales/index.ts';
import { actors, type Person, signUpSeller } from '../support/actors.ts';
import { openMarket } from '../support/market.ts';
import { live, submitted } from '../support/products.ts';
import { hold } from '../support/requests.ts';
import { answerWhatsApp, visitAs } from '../support/visits.ts';
import { patient } from './people.ts';

/** Input typed on a slow connection, before the page's scripts arrive. */
const market = await openMarket();
const { seller, otherSeller, admin } = await actors(market);
const _forgetful = await signUpSeller(market);
const named = await signUpSeller(market);
const say = dictionaries.en;
let stall = 0;
let _pending = '';

beforeAll(async () => {
  ({ slotId: stall } = await live(market, seller, admin, { name: { en: 'Radio', fr: 'Radio' } }));
  ({ id: _pending } = await submitted(market, otherSeller));
});

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const said = (page: Page, sentence: string) => page.getByText(sentence).first().waitFor();
/** A field by its form name, or by its label. */
const field = (page: Page, name: string) =>
  page
    .locator(`:is(input, textarea, select)[name="${name}"]`)
    .or(page.getByLabel(name, { exact: true }))
    .first();
const shop = () => `/en/shop/slot/${stall}`;

/** A form's content by field name: text, option value, or a box's state. */
type Typed = Record<string, string | boolean>;
type Form = {
  as?: Person;
  /** Its path, or a function that creates it. */
  at: string | (() => string | Promise<string>);
  typed: Typed;
  /** Submits once the scripts are there; fails unless the input has arrived. */
  send: (page: Page) => Promise<unknown>;
};

const person = {
  name: 'Early Bird',
  email: 'early.bird@example.test',
  password: 'typed on a slow line',
  whatsapp: '+237 699 00 77 01',
  location: 'Kribi, South',
};
const signIn = { email: seller.email, password: seller.password };
const basics = {
  'name.en': 'Raffia basket',
  'description.en': 'Two handles, forty centimetres wide.',
  'name.fr': 'Panier en raphia',
  'description.fr': 'Deux anses, quarante centimètres de large.',
  category: 'home_garden',
};
/** Leaves the first step, which needs its fields, and comes back to it unchanged. */
const throughFirstStep = async (page: Page) => {
  await press(page, say.seller.wizard.actions.next);
  await page.getByRole('heading', { level: 2, name: /^(Pricing & Duration|Price)$/ }).waitFor();
  await press(page, say.seller.wizard.actions.back);
  await page.locator('[name="name.en"]').waitFor();
};

const forms: Record<string, Form> = {
  'sign-in': {
    at: '/en/seller/auth',
    typed: { ...signIn, [say.common.a11y.showPassword]: true },
    send: async (page) => {
      expect(await field(page, 'password').getAttribute('type')).toBe('text');
      await press(page, say.seller.auth.signIn);
      await page.waitForURL('**/seller/dashboard*');
    },
  },
  'sign-up': {
    at: '/en/seller/auth?mode=sign-up',
    typed: { ...person, [say.common.a11y.showPassword]: true, agreed: true },
    send: async (page) => {
      await press(page, say.seller.auth.signUp);
      await page.waitForURL('**/email-verification*');
      const [row] = await market.db
        .select()
        .from(schema.pendingSignUps)
        .where(eq(schema.pendingSignUps.email, person.email));
      expect(row).toMatchObject({
        name: person.name,
        whatsapp: '+237699007701',
        location: person.location,
      });
    },
  },
  profile: {
    as: seller,
    at: '/en/seller/dashboard?edit=profile',
    typed: { name: 'Typed Early', whatsapp: '+237 699 00 77 02', location: 'Limbe, South-West' },
    send: async (page) => {
      await press(page, say.seller.profile.save);
      await said(page, 'Hello Typed Early');
      const [row] = await market.db
        .select()
        .from(schema.sellers)
        .where(eq(schema.sellers.userId, seller.userId));
      expect(row).toMatchObject({ whatsapp: '+237699007702', location: 'Limbe, South-West' });
    },
  },
  'own name': {
    as: named,
    at: '/en/account',
    typed: { name: 'Early Name', language: 'fr' },
    send: async (page) => {
      await press(page, say.account.you.save);
      await said(page, say.account.you.saved);
      const [row] = await market.db
        .select()
        .from(schema.user)
        .where(eq(schema.user.id, named.userId));
      expect(row).toMatchObject({ name: 'Early Name', language: 'fr' });
    },
  },
  wizard: { as: seller, at: '/en/seller/products/upload', typed: basics, send: throughFirstStep },
  report: {
    at: shop,
    typed: { reason: 'stolen', note: 'It was taken from my shop.' },
    send: async (page) => {
      await press(page, say.shop.report.submit);
      await said(page, say.shop.report.sent);
      expect(await market.db.select().from(schema.reports)).toMatchObject([
        { reason: 'stolen', note: 'It was taken from my shop.' },
      ]);
    },
  },
  contact: {
    at: () => `${shop()}#contact`,
    typed: { consent: true },
    send: async (page) => {
      await page.locator('dialog[data-live][open]').waitFor();
      expect(await field(page, 'consent').isChecked()).toBe(true);
      await answerWhatsApp(page);
      const tab = page.waitForEvent('popup');
      await page.locator('[data-open]').click();
      await (await tab).waitForURL(/wa\.me/);
    },
  },
  'search for sellers': {
    as: admin,
    at: '/en/admin/users',
    typed: { search: 'Fotso' },
    send: async (page) => {
      await said(page, 'Fotso');
      await page.getByText('Suspended Seller', { exact: true }).waitFor({ state: 'detached' });
      expect(new URL(page.url()).searchParams.get('search')).toBe('Fotso');
    },
  },
  'filters of the audit log': {
    as: admin,
    at: '/en/admin/audit',
    typed: {
      actor: 'Admin',
      action: 'product.approve',
      subjectKind: 'product',
      from: '2026-01-01',
      to: '2100-01-01',
    },
    send: async (page) => {
      await expect
        .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
        .toEqual({
          actor: 'Admin',
          action: 'product.approve',
          subjectKind: 'product',
          from: '2026-01-01',
          to: '2100-01-01',
        });
    },
  },
};

async function standsIn(page: Page, typed: Typed): Promise<Typed> {
  const entries = Object.entries(typed).map(async ([name, value]) => {
    const control = field(page, name);
    return [
      name,
      typeof value === 'boolean' ? await control.isChecked() : await control.inputValue(),
    ] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * Opens a page with delayed scripts and fills in a form; returns a function that lets them arrive.
 */
async function typeEarly(page: Page, { at, typed }: Form): Promise<() => Promise<void>> {
  const arrive = await hold(page, /\/_astro\/[^?]*\.js/);
  // The address stored by an earlier sign-up must not replace one that is being typed.
  await page.addInitScript(() =>
    sessionStorage.setItem('marche54.email', 'remembered@example.test'),
  );
  await page.goto(typeof at === 'string' ? at : await at(), { waitUntil: 'commit' });
  const report = page.locator('.report summary');
  for (const [name, value] of Object.entries(typed)) {
    const control = field(page, name);
    await control.waitFor({ state: 'attached' });
    if ((await report.isVisible()) && !(await control.isVisible())) await report.click();
    if (typeof value === 'boolean') await control.setChecked(value);
    else if (await control.evaluate((element) => element instanceof HTMLSelectElement))
      await control.selectOption(value);
    else await control.fill(value);
  }
  expect(await page.locator('astro-island[ssr]').count()).toBeGreaterThan(0);
  return arrive;
}

// `Field` keeps it for every form: one form of each kind of control, and those without it.
describe('what is typed before the scripts arrive', () => {
  test.each(Object.entries(forms))('stays, and is what is sent: %s', async (_, form) => {
    const page = await (form.as
      ? visitAs(market, form.as, { language: 'en' })
      : market.visit({ language: 'en' }));
    const arrive = await typeEarly(page, form);
    await arrive();
    await page.locator('astro-island[ssr]').first().waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('astro-island[ssr]').count()).toBe(0);
    if (form.typed.consent === undefined)
      expect(await standsIn(page, form.typed)).toEqual(form.typed);
    await form.send(page);
    expect(page.errors).toEqual([]);
  });

  test('stands over the draft of an earlier visit, whose other answers come back', async () => {
    const owner = await signUpSeller(market);
    const page = await visitAs(market, owner, { language: 'en' });
    await page.goto('/en/seller/products/upload');
    await field(page, 'name.en').fill('An older name');
    await field(page, 'description.en').fill('Words of the day before.');
    await expect
      .poll(() =>
        page.evaluate(() =>
          Object.keys(localStorage).some((key) => key.startsWith('marche54.draft')),
        ),
      )
      .toBe(true);
    const arrive = await typeEarly(page, {
      at: '/en/seller/products/upload',
      typed: { 'name.en': 'A newer name' },
      send: async () => {},
    });
    await arrive();
    await expect
      .poll(() => field(page, 'description.en').inputValue(), patient)
      .toBe('Words of the day before.');
    expect(await field(page, 'name.en').inputValue()).toBe('A newer name');
  });

  test('is not asked for where a form comes with its script: the settings, and what an admin’s dialogs ask', async () => {
    const page = await visitAs(market, admin, { language: 'en' });
    const arrive = await hold(page, /\/_astro\/[^?]*\.js/);
    for (const path of [
      'settings',
      'settings?tab=factor',
      'slots',
      'queue',
      'products/pending',
      'cleanup',
      'analytics',
      'dashboard',
    ]) {
      await page.goto(`/en/admin/${path}`, { waitUntil: 'commit' });
      await page.locator('astro-island[ssr]').first().waitFor({ state: 'attached' });
      expect(
        await page.locator('main :is(input:not([type=hidden]), textarea, select)').count(),
        path,
      ).toBe(0);
    }
    await arrive();
  });
});
