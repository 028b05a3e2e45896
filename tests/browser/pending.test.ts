import { eq } from 'drizzle-orm';
import type { Locator, Page } from 'playwright';
import { beforeEach, describe, expect, test } from 'vitest';
import { edit } from '../../api/products/edit.ts';
import { withdraw } from '../../api/products/withdraw.ts';
import { fileKey } from '../../api/uploads/files.ts';
import { schema } from '../../db/client.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { type Person, signInAdmin, signUpSeller } from '../support/actors.ts';
import { openBreakableNetwork } from '../support/brokenNetwork.ts';
import { sturdy } from '../support/database.ts';
import { openMarket } from '../support/market.ts';
import { jpeg } from '../support/photos.ts';
import { draft, live, productRow, queueRows, submitted, uploadPhoto } from '../support/products.ts';
import { hold } from '../support/requests.ts';
import { expectUsable, visitAs } from '../support/visits.ts';

// Sentences of product §8 that these journeys reach by their keys: admin:pending.loadFailed, admin:pending.approved, admin:pending.rejected,
// admin:pending.approveFailed, admin:pending.rejectFailed, admin:pending.queueFailed, admin:pending.fetchFailed, admin:gate.verificationFailed,
// admin:auth.signOutFailed.
const line = await openBreakableNetwork();
const market = await openMarket({ PUBLIC_URL: line.url });
line.to(market.port);
beforeEach(async () => {
  line.mend();
  await sturdy(() => market.reset());
});
const admin = await signInAdmin(market, {
  name: 'Admin',
  email: 'admin@example.test',
  password: 'an admin password',
});
const button = (place: Page | Locator, name: string) =>
  place.getByRole('button', { name, exact: true });
const named = (en: string) => ({ name: { en, fr: `${en} (fr)` } });
const fivePhotos = async (seller: Person) =>
  Promise.all(
    [101, 102, 103, 104, 105].map(async (width) => uploadPhoto(market, seller, await jpeg(width))),
  );

describe('the review', () => {
  const language = 'en';
  const say = dictionaries[language];
  const words = say.admin.pending;
  const t = translator(language, 'admin');

  test('an admin signs in, reviews, and signs out; what fails says so and loses nothing', async () => {
    const seller = await signUpSeller(market, { language, name: `Reviewed ${language}` });
    const page = await market.visit({ language });
    await page.goto(`/${language}/admin/products/pending`);
    await page.waitForURL('**/admin/auth*');

    // No admin sign-up, no access for sellers, and a broken connection is no denial.
    await button(page, say.admin.auth.submit).waitFor();
    await page.getByRole('link', { name: say.admin.auth.toSignUp }).click();
    await page.getByText(say.admin.auth.restricted).waitFor();
    await page.getByText(say.errors.auth.adminRegistrationRestricted).waitFor();
    await page.getByRole('link', { name: say.admin.auth.toSignIn }).click();
    await page.locator('input[type=email]').fill(seller.email);
    await page.locator('input[type=password]').fill(seller.password);
    await button(page, say.admin.auth.submit).click();
    await page.getByText(say.errors.auth.notAdmin).waitFor();
    await page.locator('input[type=email]').fill(admin.email);
    await page.locator('input[type=password]').fill(admin.password);
    line.cut();
    await button(page, say.admin.auth.submit).click();
    await page.getByText(say.admin.auth.unknownError).waitFor();
    line.mend();
    await button(page, say.admin.auth.submit).click();
    await page.waitForURL('**/admin/dashboard*');
    await page.getByText(say.admin.auth.success).first().waitFor();

    // An empty list, then a new product without a reload.
    await page.goto(`/${language}/admin/products/pending`);
    await page.getByText(words.empty).waitFor();
    const first = await submitted(market, seller, {
      ...named('First drum'),
      durationHours: 24,
      images: await fivePhotos(seller),
    });
    const card = (en: string) =>
      page
        .locator('.submission')
        .filter({ has: page.getByRole('heading', { name: en, exact: true }) });
    await card('First drum').waitFor();
    market.clock.advance({ minutes: 1 });
    for (const name of ['Second lamp', 'Third mat', 'Fourth chair', 'Fifth pot']) {
      await submitted(market, seller, named(name));
      market.clock.advance({ minutes: 1 });
    }
    await button(page, say.common.actions.refresh).click();
    await card('Fifth pot').waitFor();
    expect(await page.locator('.submission h2').allInnerTexts()).toEqual([
      'Fifth pot',
      'Fourth chair',
      'Third mat',
      'Second lamp',
      'First drum',
    ]);
    expect(await card('First drum').locator('img').count()).toBe(4);
    await card('First drum').getByText('+1', { exact: true }).waitFor();

    // The preview is complete; approving survives a broken connection.
    await button(card('First drum'), words.preview).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(t('pending.previewTitle', { name: 'First drum' })).waitFor();
    expect(await dialog.locator('.preview__images img').count()).toBe(5);
    await button(dialog, words.approve).click();
    await dialog.getByText(t('pending.approveTitle', { name: 'First drum' })).waitFor();
    line.cut();
    await button(dialog, words.approve).click();
    await dialog.getByText(say.common.states.retry).waitFor();
    await page
      .getByText(t('pending.approveFailed', { reason: say.common.states.retry }))
      .first()
      .waitFor();
    line.mend();
    await button(dialog, words.approve).click();
    await page.getByText(words.approved).first().waitFor();
    await card('First drum').waitFor({ state: 'detached' });
    expect((await queueRows(market)).map(({ productId }) => productId)).toEqual([first.id]);

    // A rejection needs a reason, which the seller reads.
    await button(card('Second lamp'), words.reject).click();
    await button(dialog, words.reject).click();
    await dialog.getByText(words.reasonRequired).waitFor();
    await button(dialog, words.quickReasons.photos).click();
    line.cut();
    await button(dialog, words.reject).click();
    await page
      .getByText(t('pending.rejectFailed', { reason: say.common.states.retry }))
      .first()
      .waitFor();
    expect(await dialog.locator('textarea').inputValue()).toBe(words.quickReasons.photos);
    line.mend();
    await button(dialog, words.reject).click();
    await page.getByText(words.rejected).first().waitFor();
    expect((await market.letterTo(seller.email)).text).toContain(words.quickReasons.photos);

    // When queueing fails, nothing is approved and the admin reads the failed step; a product that
    // has gone is reported too.
    await sturdy(() =>
      market.sql.unsafe(`create or replace function no_room() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$;
      create trigger no_room before insert on queue_items for each row execute function no_room()`),
    );
    await button(card('Third mat'), words.approve).click();
    await button(dialog, words.approve).click();
    const pushFailed = t('pending.queueFailed', { message: say.errors.queue.pushFailed });
    await page
      .getByText(t('pending.approveFailed', { reason: pushFailed }))
      .first()
      .waitFor();
    await sturdy(() => market.sql.unsafe('drop trigger no_room on queue_items'));
    await sturdy(() =>
      market.db
        .update(schema.products)
        .set({ removedAt: market.clock.now() })
        .where(eq(schema.products.name, named('Third mat').name)),
    );
    await button(dialog, words.approve).click();
    const fetchFailed = t('pending.fetchFailed', { message: say.errors.products.notFound });
    await page
      .getByText(t('pending.approveFailed', { reason: fetchFailed }))
      .first()
      .waitFor();
    await card('Third mat').waitFor({ state: 'detached' });

    // Several at once.
    await page.getByLabel(words.selectAll).check();
    await page.getByText(t('pending.selected', { count: 2 })).waitFor();
    await button(page, words.approveSelected).click();
    await button(dialog, words.approve).click();
    await page
      .getByText(t('pending.selectedApproved', { count: 2 }))
      .first()
      .waitFor();
    await page.getByText(words.empty).waitFor();
    expect((await queueRows(market)).length).toBe(3);

    // Without a session check the page stays covered; a failed sign-out is reported.
    await sturdy(() =>
      market.sql.unsafe('alter table sellers rename column business_name to business_name_away'),
    );
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.getByText(say.admin.gate.failed).waitFor();
    await page
      .getByText(t('gate.verificationFailed', { message: '' }).trim(), { exact: false })
      .waitFor();
    await sturdy(() =>
      market.sql.unsafe('alter table sellers rename column business_name_away to business_name'),
    );
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.getByText(say.admin.gate.failed).waitFor({ state: 'hidden' });
    await page.locator('form[action="/sign-out"]').first().waitFor({ state: 'attached' });
    line.cut();
    await page.locator('form[action="/sign-out"] button').first().dispatchEvent('click');
    await page.getByText(t('auth.signOutFailed', { message: say.common.states.retry })).waitFor();
    line.mend();
    await page.locator('form[action="/sign-out"] button').first().dispatchEvent('click');
    await page.waitForURL('**/admin/auth*');
    await page.getByText(say.admin.auth.loggedOut).waitFor();
    expect(page.errors).toEqual([]);
  });

  test('a product that comes between the list and the opening of its line is shown, without another one', async () => {
    const person = await signInAdmin(market);
    const seller = await signUpSeller(market, { language });
    const page = await visitAs(market, person, { language });
    const open = await hold(page, /\/api\/admin\/live/);
    await page.goto(`/${language}/admin/products/pending`);
    await page.getByText(words.empty).waitFor();
    await submitted(market, seller, named('Early bird'));
    await open();
    await page.getByRole('heading', { name: 'Early bird', exact: true }).waitFor();
  });

  test('a change of a listed product is shown when it is sent, and goes when its seller takes it back', async () => {
    const person = await signInAdmin(market);
    const seller = await signUpSeller(market, { language });
    const photo = await uploadPhoto(market, seller);
    const { id } = await live(market, seller, person, { ...named('Radio'), images: [photo] });
    const page = await visitAs(market, person, { language });
    await page.goto(`/${language}/admin/products/pending`);
    await page.getByText(words.empty).waitFor();
    const {
      durationHours: _hours,
      listingType: _type,
      paymentMethod: _method,
      ...changes
    } = draft({ ...named('Radio'), price: 41_000, images: [photo] });
    await edit(await market.ctx(seller), id, changes);
    await page.getByText(words.changesText).waitFor();
    await withdraw(await market.ctx(seller), id);
    await page.getByText(words.changesText).waitFor({ state: 'detached' });
  });

  test('a photo that cannot be shown has words in its place', async () => {
    const person = await signInAdmin(market);
    const seller = await signUpSeller(market, { language });
    const { id } = await submitted(market, seller, named('Broken picture'));
    const [photo] = (await productRow(market, id)).images;
    await market.services.storage.delete(
      photo?.widths.map((width) => fileKey(photo.key, width)) ?? [],
    );
    const page = await visitAs(market, person, { language });
    await page.goto(`/${language}/admin/products/pending`);
    await page.locator('.submission').getByText(say.common.product.imageUnavailable).waitFor();
    expect(page.errors).toEqual([]);
  });

  test('an admin lists a product for a seller: it is approved and in its queue at once', async () => {
    const person = await signInAdmin(market);
    // Unique per try, so that a search finds nothing of an earlier try.
    const own = `${language} ${Date.now().toString(36)}`;
    const seller = await signUpSeller(market, {
      language,
      name: `Mama Tchuente ${own}`,
      location: 'Bafoussam, West',
    });
    const page = await visitAs(market, person, { language });
    const field = (name: string) => page.locator(`[name="${name}"]`);
    const next = () => button(page, say.seller.wizard.actions.next).click();
    await page.goto(`/${language}/admin/products/upload`);
    // Input before the form listens would be lost.
    await expect.poll(() => button(page, say.seller.wizard.actions.next).isEnabled()).toBe(true);
    await field('name.en').fill('Sewing machine');
    await field('description.en').fill('Runs well, with table and pedal.');
    await field('category').selectOption('home_garden');
    await next();
    await field('price').fill('85000');
    await page.locator('input[name=listingType][value=featured]').check();
    await next();
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'machine.jpg', mimeType: 'image/jpeg', buffer: await jpeg(300) });
    await page.locator('.photo[data-state=sent]').waitFor();
    await next();
    await page.getByText(say.seller.wizard.fields.onBehalfNone).waitFor();
    await field('findSeller').fill('nobody by this name');
    await page.getByText(say.seller.wizard.fields.sellersNone).waitFor();
    await field('findSeller').fill(`tchuente ${own}`);
    await page.getByLabel(seller.name).check();
    expect(await field('sellerName').inputValue()).toBe(seller.name);
    expect(await field('sellerWhatsapp').inputValue()).toBe(seller.whatsapp);
    expect(await field('sellerLocation').inputValue()).toBe('Bafoussam, West');
    await expectUsable(page);
    // The chosen seller is shown before the list has loaded.
    const arrive = await hold(page, '**/api/admin/sellers*');
    await page.reload();
    expect(await field('sellerName').inputValue()).toBe(seller.name);
    expect(await page.locator('input[name=sellerId]:checked').inputValue()).toBe(seller.sellerId);
    await arrive();
    await page.getByText(seller.email).first().waitFor();
    expect(await page.locator('input[name=sellerId]:checked').inputValue()).toBe(seller.sellerId);
    await next();
    await page.locator('input[name=paymentMethod][value=cash]').check();
    await next();
    await page.getByText(say.seller.wizard.review.afterAdmin).waitFor();
    await button(page, say.seller.wizard.actions.create).click();
    await page.getByText(say.seller.wizard.success.admin).first().waitFor();
    const [row] = await market.db
      .select()
      .from(schema.products)
      .where(eq(schema.products.sellerId, seller.sellerId ?? ''));
    expect(row).toMatchObject({
      status: 'approved',
      createdBy: person.userId,
      sellerName: seller.name,
      price: 85_000,
    });
    expect(await queueRows(market)).toMatchObject([
      { productId: row?.id, queueName: 'queue:featured' },
    ]);
    expect(page.errors).toEqual([]);
  });
});
