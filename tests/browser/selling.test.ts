import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { latestListing } from '../../api/listings/reads.ts';
import { PictureFailure } from '../../api/pictures/child.ts';
import { approve } from '../../api/products/review/approve.ts';
import { money } from '../../api/shared/text.ts';
import { processQueue } from '../../api/slots/fill.ts';
import { schema } from '../../db/client.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { signInAdmin, signUpSeller } from '../support/actors.ts';
import { openBreakableNetwork } from '../support/brokenNetwork.ts';
import { openMarket } from '../support/market.ts';
import * as photos from '../support/photos.ts';
import { expectUsable, slowDown, visitAs } from '../support/visits.ts';
import { patient } from './people.ts';
import { button, form, photo, productsOf } from './wizard.ts';

const line = await openBreakableNetwork();
const market = await openMarket({ PUBLIC_URL: line.url });
line.to(market.port);
beforeEach(() => line.mend());
const payee = { number: '+237 699 00 00 54', payee: 'Marché 54 SARL' };
await market.db.insert(schema.settings).values({
  key: 'payees',
  value: { mtn_momo: payee, orange_money: payee, cash: { number: '', payee: 'Caisse, Akwa' } },
  updatedAt: market.clock.now(),
});

const file = (name: string, buffer: Buffer, mimeType = 'image/jpeg') => ({
  name,
  mimeType,
  buffer,
});
describe('selling from a phone', () => {
  const language = 'en';
  const say = dictionaries[language];
  const t = translator(language, 'seller');
  const e = translator(language, 'errors');

  test('a product is listed over a bad line, with a reload in every step, and nothing is lost', async () => {
    const person = await signUpSeller(market, { language, name: `Bad Line ${language}` });
    const page = await visitAs(market, person, { language });
    const wizard = form(page, language);
    const { next, field, at, tile } = wizard;
    await page.goto(`/${language}/seller/upload`);

    // Step 1: requires the English name and description; the category is asked for at the end.
    await page.getByText(t('wizard.step', { step: 1, total: 6 })).waitFor();
    await page.getByRole('link', { name: say.seller.wizard.actions.cancel, exact: true }).waitFor();
    await next();
    await page.getByText(say.seller.wizard.blocked.basic).waitFor();
    // Two invalid fields: typing in one keeps its input and does not move the focus to the other.
    await field('name.en').pressSequentially('Hand-woven raffia basket');
    expect(await field('name.en').inputValue()).toBe('Hand-woven raffia basket');
    await field('description.en').fill('Too short');
    await next();
    await page.getByText(translator(language, 'validation')('tooShort', { min: 10 })).waitFor();
    await field('description.en').fill('Two handles, forty centimetres wide, never used.');
    await wizard.again();
    expect(await field('description.en').inputValue()).toBe(
      'Two handles, forty centimetres wide, never used.',
    );
    await next();

    // Step 2: the fee follows the choice.
    await at('pricing');
    await next();
    await page.getByText(say.seller.wizard.blocked.pricing).waitFor();
    await field('price').fill('50');
    await field('price').blur();
    await page.getByText(translator(language, 'validation')('tooSmall', { min: 100 })).waitFor();
    await field('price').fill('12 500');
    expect(await page.locator('input[name=durationHours]:checked').inputValue()).toBe('72');
    await page.getByText(t('wizard.fee.yours', { fee: money(3000, language) })).waitFor();
    await page.locator('input[name=durationHours][value="48"]').check();
    await page.locator('input[name=listingType][value=featured]').check();
    await page.locator('input[name=preferredFeaturedSlot][value="7"]').check();
    await page.getByText(t('wizard.fee.yours', { fee: money(5000, language) })).waitFor();
    expect(
      (await page.locator('.fee__table [aria-current]').innerText()).replaceAll(/\D/g, ''),
    ).toBe('5000');
    await wizard.again();
    expect(await field('price').inputValue()).toBe('12 500');
    expect(await page.locator('input[name=preferredFeaturedSlot]:checked').inputValue()).toBe('7');
    await next();

    // Step 3: a file that is no photo is refused by name; the others stay.
    await at('images');
    await next();
    await page.getByText(say.seller.wizard.blocked.images).waitFor();
    await wizard.pick([
      file('liste.jpg', photos.textFile()),
      file('bombe.png', photos.bombPng(16_000, 8_000), 'image/png'),
      file('notes.txt', photos.textFile(), 'text/plain'),
      file('photo.heic', photos.heic(), 'image/heic'),
    ]);
    await page.getByText(say.validation.imagesNotImages, { exact: true }).waitFor();
    await page.getByText(e('uploads.wrongType', { name: 'photo.heic' })).waitFor();
    await page.getByText(e('uploads.notImage', { name: 'notes.txt' })).waitFor();
    await page.getByText(e('uploads.tooManyPixels', { name: 'bombe.png' })).waitFor();
    await page.getByText(e('uploads.notImage', { name: 'liste.jpg' })).waitFor();
    expect(await page.locator('.photo').count()).toBe(0);

    // The connection breaks during a photo: an error shows, and the photo is sent once it is back.
    await slowDown(page, 30_000);
    // Android's file managers name no better type.
    const untyped = { ...(await photo('b.jpg', 90)), mimeType: 'application/octet-stream' };
    await wizard.pick([await photo('a.jpg', 20), untyped]);
    await page.getByText(t('wizard.images.count', { used: 2, max: 5 })).waitFor();
    await expect
      .poll(() => tile(0).locator('progress').getAttribute('value').then(Number), {
        timeout: 10_000,
      })
      .toBeGreaterThan(0);
    line.cut();
    await tile(0)
      .getByText(t('wizard.images.uploadFailed', { number: 1 }))
      .waitFor();
    line.mend();
    await button(tile(0), say.common.actions.retry).click();
    await wizard.sent(1);
    // The battery dies before the second one is sent: the device has kept it, and sends it.
    await wizard.again();
    await at('images');
    await wizard.sent(2);
    expect(await wizard.names()).toEqual(['a.jpg', 'b.jpg']);

    // Too many: five are taken and the rest named; an upload can be cancelled.
    await slowDown(page, 40_000);
    await wizard.pick([
      await photo('c.jpg', 150),
      ...(await Promise.all([200, 220, 240].map((hue) => photo(`x${hue}.jpg`, hue, 60)))),
    ]);
    await page
      .getByText(
        `${say.validation.imagesTooManyWizard} ${t('wizard.images.leftOut', { names: 'x240.jpg' })}`,
      )
      .waitFor();
    await button(page, t('wizard.images.cancel', { number: 3 })).click();
    await slowDown(page);
    await wizard.sent(4);
    await button(page, t('wizard.images.removeNamed', { number: 4 })).click();
    expect(await wizard.names()).toEqual(['a.jpg', 'b.jpg', 'x200.jpg']);

    // Reordering by keyboard and by dragging.
    await tile(1).locator('.photo__grip').focus();
    await page.keyboard.press('ArrowLeft');
    expect(await wizard.names()).toEqual(['b.jpg', 'a.jpg', 'x200.jpg']);
    const [from, to] = await Promise.all([
      tile(2).locator('.photo__grip').boundingBox(),
      tile(0).boundingBox(),
    ]);
    if (!from || !to) throw new Error('The photos are not on the screen');
    await tile(2).locator('.photo__grip').hover();
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 });
    await page.mouse.up();
    expect(await wizard.names()).toEqual(['x200.jpg', 'b.jpg', 'a.jpg']);
    await next();

    // Step 4 is filled from the profile.
    await at('seller');
    await expect.poll(() => field('sellerName').inputValue()).toBe(person.name);
    await field('sellerWhatsapp').fill('12');
    await next();
    await page.getByText(say.validation.phone).waitFor();
    await field('sellerWhatsapp').fill('');
    await next();
    await page.getByText(say.seller.wizard.blocked.seller).waitFor();
    await field('sellerWhatsapp').fill('+237 699 12 34 56');
    await field('businessName').fill('Chez Mama Ngono');
    await wizard.again();
    expect(await field('sellerWhatsapp').inputValue()).toBe('+237 699 12 34 56');

    // Step 5 names the payee. A press before hydration is lost; people press again.
    await expect
      .poll(
        async () => {
          if (
            !(await page
              .getByRole('heading', { name: say.seller.wizard.steps.payment, level: 2 })
              .isVisible())
          )
            await next();
          return page
            .getByRole('heading', { name: say.seller.wizard.steps.payment, level: 2 })
            .isVisible();
        },
        { timeout: 40_000, interval: 3000 },
      )
      .toBe(true);
    await next();
    await page.getByText(say.seller.wizard.blocked.payment).waitFor();
    await page.locator('input[name=paymentMethod][value=mtn_momo]').check();
    const pay = {
      fee: money(5000, language),
      method: say.common.paymentMethods.mtn_momo,
      ...payee,
      number: payee.number.replaceAll(' ', '\u00a0'),
    };
    await page.getByText(t('wizard.fee.payTo', pay)).waitFor();
    await expectUsable(page);
    await wizard.again();
    expect(await page.locator('input[name=paymentMethod]:checked').inputValue()).toBe('mtn_momo');
    await next();

    // Step 6: names the missing category and leads back to it; the phone's Back button works.
    await at('review');
    await wizard.again();
    await button(page, say.seller.wizard.actions.submit).click();
    await page.getByText(say.seller.wizard.blocked.category).waitFor();
    expect(await field('condition').count()).toBe(0);
    await field('category').selectOption('home_garden');
    await field('condition').selectOption('as_new');
    await page.goBack();
    await at('review');
    await page.locator('dd', { hasText: say.common.conditions.as_new }).waitFor();

    // A second tab has the same draft open; the connection breaks at the very end.
    const other = await page.context().newPage();
    await other.goto(`/${language}/seller/products/upload`);
    await other.getByText(t('wizard.draftFound', { date: '' }).trim(), { exact: false }).waitFor();
    line.cut();
    await button(page, say.seller.wizard.actions.submit).click();
    await page.getByText(say.seller.wizard.waiting.title).waitFor();
    line.mend();
    await button(page, say.seller.wizard.actions.submit).dblclick();
    await page.waitForURL('**/seller/dashboard*');
    await page.getByText(say.seller.wizard.success.title).first().waitFor();
    await page.getByText(say.seller.wizard.success.seller).first().waitFor();
    await other.getByText(say.seller.wizard.failed.already).waitFor();

    const [product, ...rest] = await productsOf(market, person.sellerId ?? '');
    expect(rest).toEqual([]);
    expect(product).toMatchObject({
      status: 'pending',
      price: 12_500,
      listingType: 'featured',
      durationSeconds: 48 * 3600,
      preferredFeaturedSlot: 7,
      category: 'home_garden',
      condition: 'as_new',
      paymentMethod: 'mtn_momo',
    });
    const listing = await latestListing(market, product?.id ?? '');
    expect(listing).toMatchObject({ fee: 5000, feeState: 'due' });
    // The product keeps the form's order: the small one first.
    expect(product?.images.map(({ width }) => width)).toEqual([60, 420, 420]);
    // The fee, its payee and reference.
    await page
      .getByText(
        t('fee.instruction', {
          amount: money(5000, language),
          method: pay.method,
          ...payee,
          reference: listing?.feeReference ?? '',
        }),
      )
      .waitFor();
    // Nothing is left behind on the device.
    await page.goto(`/${language}/seller/upload`);
    await field('name.en').waitFor();
    expect(await field('name.en').inputValue()).toBe('');
    expect(page.errors).toEqual([]);
  });

  test('a submission that the server refuses keeps everything, and says what is wrong', async () => {
    const person = await signUpSeller(market, { language, name: `Refused ${language}` });
    const page = await visitAs(market, person, { language });
    const { field, next, at, pick, sent, tile } = form(page, language);
    await page.goto(`/${language}/seller/upload`);
    await field('name.en').fill('Palm oil, twenty litres');
    await field('description.en').fill('Pressed last week, in a clean canister.');
    await field('category').selectOption('food');
    await next();
    await field('price').fill('25000');
    await next();
    await at('images');
    // Too many photos arrive at once: an error shows, the photo stays, and the next try sends it.
    const judged = vi
      .spyOn(market.services.pictures, 'photo')
      .mockRejectedValueOnce(new PictureFailure('busy'));
    await pick([await photo('oil.jpg', 30, 80)]);
    await page.getByText(e('uploads.busy', { name: 'oil.jpg' })).waitFor();
    judged.mockRestore();
    await button(tile(0), say.common.actions.retry).click();
    await sent(1);
    await next();
    await at('seller');
    await expect.poll(() => field('sellerName').inputValue()).toBe(person.name);
    await next();
    await page.locator('input[name=paymentMethod][value=cash]').check();
    await page
      .getByText(t('wizard.fee.payCash', { fee: money(3000, language), payee: 'Caisse, Akwa' }))
      .waitFor();
    await next();
    await at('review');
    // The server has lost the photo: the device sends its copy again.
    await market.db
      .update(schema.uploads)
      .set({ ownerId: null })
      .where(eq(schema.uploads.ownerId, person.userId));
    await button(page, say.seller.wizard.actions.submit).click();
    await page.getByText(say.seller.wizard.failed.title).waitFor();
    await page.getByText(say.errors.uploads.notFound).waitFor();
    await sent(1);
    for (const step of ['seller', 'payment', 'review'] as const) {
      await next();
      await at(step);
    }
    // A gateway's error page.
    await page.route('**/api/products', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    );
    await button(page, say.seller.wizard.actions.submit).click();
    await page.getByText(say.seller.wizard.failed.text).waitFor();
    await page.unroute('**/api/products');
    // The answer is lost and the text changed before the retry: still one product. Draft saving is
    // blocked, since it would reveal the submission before the retry.
    await page.route('**/api/drafts', (route) => route.abort());
    let lost = 0;
    await page.route('**/api/products', async (route) => {
      if (lost++ > 1) return route.continue();
      if (lost === 1) await route.fetch();
      await route.abort();
    });
    await button(page, say.seller.wizard.actions.submit).click();
    await page.getByText(say.seller.wizard.waiting.title).waitFor();
    await page.goBack();
    await at('payment');
    await page.locator('input[name=paymentMethod][value=orange_money]').check();
    await next();
    await button(page, say.seller.wizard.actions.submit).click();
    await page.getByText(say.seller.wizard.failed.already).waitFor();
    expect(await productsOf(market, person.sellerId ?? '')).toMatchObject([
      { name: { en: 'Palm oil, twenty litres' }, paymentMethod: 'cash', images: [{ width: 80 }] },
    ]);
    await button(page, say.seller.wizard.success.another).click();
    await at('basic');
    expect(await field('name.en').inputValue()).toBe('');
    expect(page.errors).toEqual([]);
  });

  test('a seller who writes French alone finds it first, and says once that all readers get it', async () => {
    const person = await signUpSeller(market, { language: 'fr', name: 'Ngo Biyong' });
    const page = await visitAs(market, person, { language: 'fr' });
    const { say: fr, next, at, field, pick, sent } = form(page, 'fr');
    const name = 'Panier en raphia tressé';
    await page.goto('/fr/seller/products/upload');
    await field('name.fr').fill(name);
    const fields = page.locator('.wizard__main :is(input, textarea, select)[name]');
    const names = () =>
      fields.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).name));
    const french = ['name.fr', 'description.fr', 'sameText'];
    expect(await names()).toEqual([...french, 'name.en', 'description.en', 'category']);
    expect(await field('sameText').isChecked()).toBe(false);
    await field('sameText').check();
    await expect.poll(names).toEqual([...french, 'category']);
    await next();
    await page.getByText(fr.blocked.basic).waitFor();
    // The English minimum holds for the French, whose field says so.
    await field('description.fr').fill('Neuf');
    await next();
    await page.getByText(translator('fr', 'validation')('tooShort', { min: 10 })).waitFor();
    expect(await field('description.fr').getAttribute('aria-invalid')).toBe('true');
    await field('description.fr').fill('Deux anses, jamais utilisé.');
    await field('category').selectOption('home_garden');
    await expectUsable(page);
    await page.reload();
    await expect.poll(() => field('sameText').isChecked(), patient).toBe(true);
    await next();
    await at('pricing');
    await field('price').fill('12 500');
    await next();
    await at('images');
    await pick([await photo('a.jpg', 20)]);
    await sent(1);
    await next();
    await at('seller');
    await next();
    await at('payment');
    await page.locator('input[name=paymentMethod][value=cash]').check();
    await next();
    await at('review');
    await page.locator('dd', { hasText: fr.fields.sameText }).waitFor();
    expect(await page.locator('main').innerText()).not.toContain('(anglais)');
    await button(page, fr.actions.submit).click();
    await page.waitForURL('**/seller/dashboard*');
    const [product] = await productsOf(market, person.sellerId ?? '');
    expect(product?.name).toEqual({ en: name, fr: name, written: 'fr' });
    expect(page.errors).toEqual([]);

    // A correction begins as it was written; without the choice, English is wanted for itself.
    await page.goto(`/fr/seller/products/${product?.id}/edit`);
    await expect.poll(() => field('sameText').isChecked(), patient).toBe(true);
    await field('sameText').uncheck();
    expect(await field('name.en').inputValue()).toBe('');

    await approve(await market.ctx(await signInAdmin(market)), product?.id ?? '');
    await processQueue(market.job('process-queue'));
    const buyer = await market.visit({ language: 'en' });
    await buyer.goto('/en');
    const card = buyer.locator('.stall', { hasText: name });
    expect(await card.locator('h3 a').getAttribute('lang')).toBe('fr');
    await card.getByText(`(${dictionaries.en.common.product.inFrench})`).waitFor();
    await card.locator('h3 a').click();
    await buyer.locator('h1[lang=fr]', { hasText: name }).waitFor();
    await buyer.getByText(`(${dictionaries.en.common.product.inFrench})`).first().waitFor();
  });
});
