import { beforeAll, expect, test } from 'vitest';
import { lengthOf } from '../../api/shared/clean.ts';
import { phoneText } from '../../api/shared/contact/readPhone.ts';
import { money } from '../../api/shared/text.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { isolate } from '../../locales/isolate.ts';
import { actors } from '../support/actors.ts';
import { openMarket } from '../support/market.ts';
import { awkwardNames, rightToLeft } from '../support/names.ts';
import { draft, live } from '../support/products.ts';
import { visitAs } from '../support/visits.ts';

/**
 * Names appear as typed on every page, and do not change the direction of text around them
 * (decision 029).
 */
const market = await openMarket();
const { seller, admin } = await actors(market);
const named: { name: string; slotId: number; id: string }[] = [];

beforeAll(async () => {
  for (const name of [...awkwardNames, rightToLeft]) {
    const { slotId, id } = await live(market, seller, admin, {
      condition: 'as_new',
      name: { en: name },
      businessName: name,
    });
    named.push({ name, slotId, id });
  }
  market.pageCache.drop();
});

test('on the market: cards, and what their links are called', async () => {
  const page = await market.visit({ language: 'en' });
  await page.goto('/en/');
  await page.locator('dialog[data-live]').waitFor({ state: 'attached' });
  const { contact, share } = dictionaries.en.common.a11y;
  for (const { name, slotId } of named) {
    const stall = page.locator(`[data-stall="${slotId}"]`);
    expect((await stall.locator('h3').textContent())?.trim()).toBe(name);
    const labels = await stall
      .locator('[data-action]')
      .evaluateAll((links) => links.map(({ ariaLabel }) => ariaLabel));
    expect(labels).toEqual(
      [contact, share].map((sentence) => sentence.split('{{name}}').join(name)),
    );
    expect(
      await stall.locator('h3').evaluate((heading) => getComputedStyle(heading).direction),
    ).toBe(name === rightToLeft ? 'rtl' : 'ltr');
    expect(
      await stall.locator('.stall__body').evaluate((body) => getComputedStyle(body).direction),
    ).toBe('ltr');
  }
});

test('on its own page: title, heading, seller, structured data, report, consent, and what is shared', async () => {
  const shop = translator('en', 'shop');
  const page = await market.visit({ language: 'en' });
  await page.addInitScript(() => {
    Object.assign(navigator, {
      share: async (shared: unknown) => Object.assign(window, { shared }),
    });
  });
  for (const { name, slotId } of named) {
    await page.goto(`/en/shop/slot/${slotId}`);
    await page.locator('dialog[data-live]').waitFor({ state: 'attached' });
    expect(await page.title()).toBe(
      shop('meta.title', { name, price: money(draft().price, 'en') }),
    );
    expect(await page.title()).toContain(isolate(name));
    expect(await page.locator('meta[property="og:title"]').getAttribute('content')).toBe(
      await page.title(),
    );
    const data = JSON.parse(
      (await page.locator('[type="application/ld+json"]').textContent()) ?? '',
    );
    expect([data.name, data.offers.seller.name, data.offers.areaServed]).toEqual([
      name,
      name,
      'Douala, Littoral',
    ]);
    expect(data.offers.itemCondition).toBe('https://schema.org/UsedCondition');
    expect(await page.locator('.deal__facts').innerText()).toContain('As new');
    expect(await page.locator('h1').innerText()).toBe(name);
    expect(await page.locator('.deal__seller bdi').innerText()).toBe(name);
    expect(await page.locator('.report h2').textContent()).toBe(shop('report.title', { name }));
    await page.locator('[data-action=share]').click();
    expect(
      await page.evaluate(() => (window as unknown as { shared: { title: string } }).shared.title),
    ).toBe(name);
    await page.locator('[data-action=contact]').click();
    expect(await page.locator('dialog b').textContent()).toBe(name);
  }
});

test('in the admin’s questions and in what is said after', async () => {
  const page = await visitAs(market, admin, { language: 'en' });
  await page.goto('/en/admin/slots');
  for (const { name, slotId } of named) {
    const slot = page.locator(`[data-slot="${slotId}"]`);
    await slot.locator('.slot__acts .button').nth(1).click();
    // The event of the question before may come late.
    await page.locator('dialog[open]').dispatchEvent('close');
    expect(await page.locator('dialog[open] .dialog__body').textContent()).toContain(
      `“${isolate(name)}”`,
    );
    await page.locator('dialog[open] .button--primary').click();
    await page
      .locator('[data-sonner-toast] [data-description]')
      .getByText(name, { exact: true })
      .waitFor();
  }
});

test('in the wizard: what is counted, and what the review shows, is what will be kept', async () => {
  const page = await visitAs(market, seller, {
    language: 'en',
    viewport: { width: 1440, height: 900 },
  });
  const [first] = named;
  await page.goto(`/en/seller/products/${first?.id}/edit`);
  const next = page.locator('.wizard__foot [type=submit]');
  await page.locator('.wizard__foot [type=submit]:enabled').waitFor();
  const kept = { 'name.en': 'bRadio 😀/b of two', 'description.en': 'It is new 👩🏾‍🍳\nand cheap' };
  await page.locator('[name="name.en"]').fill('  <b>Radio \u202e😀</b>   of two ');
  await page.locator('[name="description.en"]').fill(' It is <new> 👩🏾‍🍳\nand cheap\u2066 ');
  expect(await page.locator('.wizard__side h3').innerText()).toBe(kept['name.en']);
  for (const [field, text] of Object.entries(kept)) {
    const counter = page
      .locator('.field', { has: page.locator(`[name="${field}"]`) })
      .locator('.field__count > [aria-hidden]');
    expect((await counter.innerText()).split('/')[0]).toBe(String(lengthOf(text)));
  }
  for (const step of ['pricing', 'images', 'seller', 'review']) {
    if (step === 'review') await page.locator('[name=businessName]').fill(`${'😀'.repeat(100)}<>`);
    await next.click();
    await page.waitForFunction((wanted) => history.state?.step === wanted, step);
  }
  const shown = await page.locator('.review__part dd').allInnerTexts();
  expect(shown).toEqual(
    expect.arrayContaining([...Object.values(kept), phoneText(seller.whatsapp), '😀'.repeat(100)]),
  );
  expect(page.errors).toEqual([]);
});
