import { eq, inArray } from 'drizzle-orm';
import type { Locator, Page } from 'playwright';
import { beforeEach, describe, expect, test } from 'vitest';
import { markFee } from '../../api/listings/fees.ts';
import { markSold } from '../../api/products/markSold.ts';
import { reject } from '../../api/products/review/reject.ts';
import { writeSetting } from '../../api/settings/values.ts';
import { money } from '../../api/shared/text.ts';
import { removeFromSlot } from '../../api/slots/remove.ts';
import { fileKey } from '../../api/uploads/files.ts';
import { schema } from '../../db/client.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { signInAdmin, signUpMember, signUpSeller, suspend } from '../support/actors.ts';
import { openBreakableNetwork } from '../support/brokenNetwork.ts';
import { sturdy } from '../support/database.ts';
import { desktop, openMarket } from '../support/market.ts';
import { jpeg } from '../support/photos.ts';
import {
  approved,
  live,
  photoRow,
  productRow,
  submitted,
  uploadPhoto,
} from '../support/products.ts';
import { expectUsable, visitAs } from '../support/visits.ts';
import { openBroken } from './people.ts';

// Sentences of product §8 that these journeys reach by their keys: seller:profile.failed.
const line = await openBreakableNetwork();
const market = await openMarket({ PUBLIC_URL: line.url });
line.to(market.port);
beforeEach(() => line.mend());
const admin = await signInAdmin(market, { name: 'Admin' });
const button = (place: Page | Locator, name: string) =>
  place.getByRole('button', { name, exact: true });
const dayOf = (at: Date) => at.toISOString().slice(0, 10);
const named = (en: string) => ({ name: { en, fr: `${en} (fr)` } });

describe('the dashboard', () => {
  const language = 'en';
  const say = dictionaries[language];
  const s = translator(language, 'seller');
  const b = translator(language, 'bot');
  const status = say.common.status;
  /** The seller's name of a product that {@link named} made. */
  const own = (en: string) => named(en).name[language];

  test('every state a product can be in, its badges, what it owes and where it stands', async () => {
    const person = await signUpSeller(market, { language, name: `Dashboard ${language}` });
    const page = await visitAs(market, person, { language });
    await page.goto(`/${language}/seller/dashboard`);
    await page.getByText(say.seller.dashboard.emptyTitle).waitFor();
    await page.getByText(say.seller.dashboard.unverifiedHint).waitFor();

    const over = await live(market, person, admin, named('Ended radio'));
    const gone = await live(market, person, admin, named('Sold bicycle'));
    market.clock.advance({ hours: 72, minutes: 1 });
    await market.runNow('process-queue');
    const shown = await live(market, person, admin, named('Live basket'));
    await markFee(
      await market.ctx(admin),
      (await productRow(market, shown.id)).listing?.id ?? '',
      'paid',
    );
    await sturdy(() =>
      market.db.insert(schema.productDaily).values({
        productId: shown.id,
        day: dayOf(market.clock.now()),
        views: 41,
        clicks: 7,
        messageTaps: 5,
        shares: 2,
      }),
    );
    const queued = await approved(market, person, admin, {
      ...named('Queued lamp'),
      listingType: 'featured',
      preferredFeaturedSlot: 3,
    });
    const refused = await submitted(market, person, named('Rejected phone'));
    await reject(await market.ctx(admin), refused.id, 'The photo shows another phone.');
    const waiting = await submitted(market, person, named('Pending drum'));
    await page.reload();

    const card = (id: string) => page.locator(`[data-listing="${id}"]`);
    const more = (id: string) => card(id).locator('summary.button').click();
    const figures = page.locator('.counts .figure__value');
    expect((await figures.allInnerTexts()).slice(0, 3)).toEqual(['6', '1', '4']);
    await card(waiting.id).getByText(status.pending, { exact: true }).waitFor();
    await card(waiting.id).getByText(say.seller.listing.hint.pending).waitFor();
    await card(shown.id).getByText(status.live, { exact: true }).waitFor();
    expect((await card(shown.id).locator('.figures dd').allInnerTexts()).map(Number)).toEqual([
      41, 5, 2,
    ]);
    await card(shown.id).getByText(say.seller.fee.paid, { exact: true }).waitFor();
    await card(queued.id).getByText(status.queued, { exact: true }).waitFor();
    await card(queued.id).getByText(say.seller.listing.queue.next).waitFor();
    await card(queued.id)
      .getByText(s('listing.queue.lane', { lane: say.common.lane.featured }))
      .waitFor();
    await card(queued.id).getByText(say.seller.listing.queue.note).waitFor();
    await card(refused.id)
      .getByText(s('listing.hint.rejected', { reason: 'The photo shows another phone.' }))
      .waitFor();
    await card(over.id).getByText(status.ended, { exact: true }).waitFor();
    const owing = await productRow(market, waiting.id);
    await card(waiting.id)
      .getByText(s('fee.reference', { reference: owing.listing?.feeReference ?? '' }), {
        exact: true,
      })
      .waitFor();
    await expectUsable(page);

    // Sold: a failed request keeps the dialog open, to try again.
    await button(
      card(gone.id),
      `${say.seller.listing.actions.sold}: ${own('Sold bicycle')}`,
    ).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(s('listing.confirm.soldTitle', { name: own('Sold bicycle') })).waitFor();
    line.cut();
    await button(dialog, say.seller.listing.actions.sold).click();
    await dialog
      .getByText(s('listing.toast.failed', { message: say.common.states.retry }))
      .waitFor();
    line.mend();
    await button(dialog, say.seller.listing.actions.sold).click();
    await page.getByText(s('listing.toast.sold', { name: own('Sold bicycle') })).waitFor();
    await card(gone.id).getByText(status.sold, { exact: true }).waitFor();

    // Withdrawn from review, and submitted again.
    await button(
      card(waiting.id),
      `${say.seller.listing.actions.withdraw}: ${own('Pending drum')}`,
    ).click();
    await dialog.getByText(say.seller.listing.confirm.withdrawReviewText).waitFor();
    await button(dialog, say.seller.listing.actions.withdraw).click();
    await card(waiting.id).getByText(status.withdrawn, { exact: true }).waitFor();
    await button(
      card(waiting.id),
      `${say.seller.listing.actions.relist}: ${own('Pending drum')}`,
    ).click();
    await dialog.getByText(say.seller.listing.confirm.relistReview, { exact: false }).waitFor();
    await button(dialog, say.seller.listing.confirm.relistSame).click();
    await card(waiting.id).getByText(say.seller.listing.hint.pending).waitFor();

    // Ended and listed again: straight into the queue, with a new fee under another reference.
    const before = await productRow(market, over.id);
    await button(
      card(over.id),
      `${say.seller.listing.actions.relist}: ${own('Ended radio')}`,
    ).click();
    await dialog
      .getByText(s('listing.confirm.relistFee', { fee: money(3000, language) }), { exact: false })
      .waitFor();
    await button(dialog, say.seller.listing.confirm.relistSame).click();
    await page.getByText(s('listing.toast.relisted', { name: own('Ended radio') })).waitFor();
    await card(over.id).getByText(status.queued, { exact: true }).waitFor();
    const after = await productRow(market, over.id);
    expect([after.listing?.feeState, after.listing?.number]).toEqual(['due', 2]);
    // The earlier listing's debt is still shown, under its own reference.
    await card(over.id)
      .getByText(s('fee.reference', { reference: before.listing?.feeReference ?? '' }), {
        exact: true,
      })
      .waitFor();

    // Relisting at the end of a live listing, and cancelling that; worded as in the chat.
    const { button: bot } = say.bot;
    await more(shown.id);
    await button(card(shown.id), `${bot.relistAtEnd}: ${own('Live basket')}`).click();
    await dialog.getByText(b('mine.ask.relistAtEnd', { name: own('Live basket') })).waitFor();
    await dialog
      .getByText(b('mine.done.feeThen', { amount: money(3000, language) }), { exact: false })
      .waitFor();
    await button(dialog, bot.relistAtEnd).click();
    await page.getByText(b('mine.done.relistAtEnd', { name: own('Live basket') })).waitFor();
    await card(shown.id).getByText(say.seller.listing.hint.again).waitFor();
    await more(shown.id);
    await button(card(shown.id), `${bot.notAgain}: ${own('Live basket')}`).click();
    await dialog.getByText(b('mine.done.notAgain', { name: own('Live basket') })).waitFor();
    await button(dialog, bot.notAgain).click();
    await more(shown.id);
    await button(card(shown.id), `${bot.relistAtEnd}: ${own('Live basket')}`).waitFor();
    expect((await productRow(market, shown.id)).listing?.againAsked).toBeNull();

    // Withdrawing a live one empties its stall at once.
    await button(
      card(shown.id),
      `${say.seller.listing.actions.withdraw}: ${own('Live basket')}`,
    ).click();
    await button(dialog, say.seller.listing.actions.withdraw).click();
    await card(shown.id).getByText(status.withdrawn, { exact: true }).waitFor();
    expect(
      (
        await market.db
          .select()
          .from(schema.slots)
          .where(inArray(schema.slots.productId, [shown.id]))
      ).length,
    ).toBe(0);

    // It can still be marked as sold, and its listing has ended already.
    await button(
      card(shown.id),
      `${say.seller.listing.actions.sold}: ${own('Live basket')}`,
    ).click();
    await dialog.getByText(say.seller.listing.confirm.soldEndedText).waitFor();
    await button(dialog, say.seller.listing.actions.sold).click();
    await card(shown.id).getByText(status.sold, { exact: true }).waitFor();

    // A change from elsewhere is shown, not asked about again.
    await markSold(await market.ctx(person), over.id);
    await button(
      card(over.id),
      `${say.seller.listing.actions.sold}: ${own('Ended radio')}`,
    ).click();
    await button(dialog, say.seller.listing.actions.sold).click();
    await page
      .getByText(s('listing.toast.failed', { message: say.errors.products.notLive }))
      .waitFor();
    expect(page.errors).toEqual([]);
  });

  test('the picture of a live listing for a status is made by one tap, and saved', async () => {
    const person = await signUpSeller(market, { language, name: 'With Status' });
    const { id } = await live(market, person, admin, named('Status basket'));
    const page = await visitAs(market, person, { language });
    await page.goto(`/${language}/seller/dashboard`);
    const listing = page.locator(`#product-${id}`);
    await listing.locator('.listing__more summary').click();
    const saved = page.waitForEvent('download');
    await listing
      .getByRole('button', { name: new RegExp(`^${s('listing.actions.status')}`) })
      .click();
    expect((await saved).suggestedFilename()).toBe('marche54.jpg');
    await page.getByText(s('listing.toast.status', { name: own('Status basket') })).waitFor();

    market.clock.advance({ hours: 72, minutes: 1 });
    await listing
      .getByRole('button', { name: new RegExp(`^${s('listing.actions.status')}`) })
      .click();
    await page.getByText(say.errors.products.notLive).waitFor();
  });

  test('an edit of a live product waits for review beside the old version; a rejected one is corrected', async () => {
    const person = await signUpSeller(market, { language, name: `Editor ${language}` });
    const second = await uploadPhoto(market, person, await jpeg(200));
    const shown = await live(market, person, admin, {
      ...named('Clay pot'),
      images: [await uploadPhoto(market, person), second],
    });
    const cover = (await productRow(market, shown.id)).images[0]?.key ?? '';
    const refused = await submitted(market, person, named('Old bicycle'));
    await reject(await market.ctx(admin), refused.id, 'The price looks wrong.');
    const page = await visitAs(market, person, { language, viewport: desktop });
    const field = (name: string) => page.locator(`[name="${name}"]`);
    const next = () => button(page, say.seller.wizard.actions.next).click();
    const at = (heading: string) =>
      page.getByRole('heading', { name: heading, level: 2 }).waitFor();
    const title = 'Clay pot, glazed';

    await page.goto(`/${language}/seller/dashboard`);
    await page
      .locator(`[data-listing="${shown.id}"]`)
      .getByRole('link', { name: `${say.seller.listing.actions.edit}: ${own('Clay pot')}` })
      .click();
    await page.waitForURL(`**/seller/products/${shown.id}/edit`);
    await expect.poll(() => field('name.en').inputValue()).toBe('Clay pot');
    await field('name.en').fill('Clay pot, glazed');
    await next();
    await field('price').fill('7500');
    await next();
    await at(say.seller.wizard.steps.images);
    await page.locator('.photo__picture img').nth(1).waitFor();
    await button(page, s('wizard.images.removeNamed', { number: 1 })).click();
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'new.jpg', mimeType: 'image/jpeg', buffer: await jpeg(300) });
    await page.locator('.photo[data-state=sent]').nth(1).waitFor();
    await page.reload();
    await page.locator('.photo[data-state=sent]').nth(1).waitFor();
    await next();
    await next();
    await at(say.seller.wizard.steps.review);
    await page.getByText(say.seller.wizard.review.afterEditLive).waitFor();
    await button(page, say.seller.wizard.actions.save).click();
    await page.waitForURL('**/seller/dashboard*');
    await page.getByText(say.seller.listing.toast.changeSent).first().waitFor();
    await page
      .locator(`[data-listing="${shown.id}"]`)
      .getByText(say.seller.listing.hint.changeWaiting)
      .waitFor();
    expect((await productRow(market, shown.id)).name).toEqual(named('Clay pot').name);

    // The admin compares both versions. Another test may have aged the admin's session.
    const adminPage = await visitAs(market, await signInAdmin(market), { language });
    await adminPage.goto(`/${language}/admin/products/pending`);
    const change = adminPage.locator('.submission--change').filter({ hasText: person.name });
    await change.getByText('Clay pot, glazed').waitFor();
    expect(await change.locator('.change__old').first().innerText()).toContain('Clay pot');
    await change.getByText(money(7500, language)).waitFor();
    expect(await change.locator('.change__old img').count()).toBe(2);
    expect(await change.locator('.change__new img').count()).toBe(2);
    await button(change, say.admin.pending.approve).click();
    await button(adminPage.getByRole('dialog'), say.admin.pending.approve).click();
    await adminPage.getByText(say.admin.pending.changeApproved).waitFor();
    await change.waitFor({ state: 'detached' });
    expect(await productRow(market, shown.id)).toMatchObject({
      name: { en: 'Clay pot, glazed' },
      price: 7500,
      images: [{ width: 200 }, { width: 300 }],
    });
    // Several mails may leave at the same moment: this one is among them.
    const letters = await market.mails.allTo(person.email);
    expect(letters.map(({ subject }) => subject)).toContain(
      translator(language, 'mail')('changeApproved.subject', { product: title }),
    );
    // The next cleanups delete the photo that is no longer used.
    const [old] = await market.db
      .select()
      .from(schema.uploads)
      .where(eq(schema.uploads.key, cover));
    expect([old?.productId, old?.ownerId]).toEqual([null, null]);

    // The rejected one: its reason, all its input, and back to review.
    await page.goto(`/${language}/seller/dashboard`);
    await page
      .locator(`[data-listing="${refused.id}"]`)
      .getByRole('link', { name: say.seller.listing.actions.correct })
      .click();
    await page
      .getByText(s('listing.hint.rejected', { reason: 'The price looks wrong.' }))
      .waitFor();
    expect(await field('name.en').inputValue()).toBe('Old bicycle');
    await next();
    await field('price').fill('90000');
    for (const step of ['images', 'seller', 'review'] as const) {
      await next();
      await at(say.seller.wizard.steps[step]);
    }
    await button(page, say.seller.wizard.actions.submit).click();
    await page.waitForURL('**/seller/dashboard*');
    await page
      .locator(`[data-listing="${refused.id}"]`)
      .getByText(say.seller.listing.hint.pending)
      .waitFor();
    expect(await productRow(market, refused.id)).toMatchObject({
      status: 'pending',
      price: 90_000,
      rejectedReason: null,
    });

    // Another seller's product is not found.
    const stranger = await visitAs(market, await signUpSeller(market, { language }), { language });
    expect((await stranger.goto(`/${language}/seller/products/${shown.id}/edit`))?.status()).toBe(
      404,
    );
    expect([...page.errors, ...adminPage.errors]).toEqual([]);
  });

  test('twenty products a page, told of in full, and kept in the address', async () => {
    const person = await signUpSeller(market, { language });
    const shown = await live(market, person, admin, {
      name: { en: 'The oldest', fr: 'The oldest' },
    });
    await removeFromSlot(await market.ctx(admin), shown.slotId, { productId: shown.id });
    for (let n = 0; n < 20; n++) {
      market.clock.advance({ minutes: 1 });
      await submitted(market, person, {
        name: { en: `Number ${n}`, fr: `Number ${n}` },
        images: [await photoRow(market, person)],
      });
    }
    const page = await visitAs(market, person, { language });
    await page.goto(`/${language}/seller/dashboard`);
    const figures = async () =>
      (await page.locator('.counts .figure__value').allInnerTexts()).slice(0, 3);
    expect(await figures()).toEqual(['21', '20', '1']);
    expect(await page.locator('[data-listing]').count()).toBe(20);
    await page.getByRole('link', { name: say.common.pagination.next }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/seller/dashboard?page=2*');
    const oldest = page.locator(`[data-listing="${shown.id}"]`);
    await oldest.getByText(s('listing.hint.stopped', { date: '' }).trim()).waitFor();
    expect(await figures()).toEqual(['21', '20', '1']);
    await button(oldest, `${say.seller.listing.actions.sold}: The oldest`).click();
    await button(page.getByRole('dialog'), say.seller.listing.actions.sold).click();
    await oldest.getByText(say.common.status.sold, { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('page')).toBe('2');
    await page.goto(`/${language}/seller/dashboard?page=9`);
    await page.waitForURL('**/seller/dashboard?page=2');
    await oldest.waitFor();
    await page.getByRole('link', { name: say.common.pagination.previous }).click();
    await page.getByText('Number 19').first().waitFor();
    expect(page.errors).toEqual([]);
  });

  test('what cannot be read is said; a suspended seller sees why; a profile that cannot be saved keeps its words', async () => {
    const person = await signUpSeller(market, { language, name: `Unlucky ${language}` });
    const mat = await submitted(market, person, named('Woven mat'));
    const page = await visitAs(market, person, { language });
    await sturdy(() => market.sql`alter table product_daily rename to product_daily_away`);
    try {
      await page.goto(`/${language}/seller/dashboard`);
      await page.getByText(say.seller.dashboard.productsFailed).waitFor();
      await page.getByText(say.seller.dashboard.tryLater).waitFor();
      await expectUsable(page);
    } finally {
      await sturdy(() => market.sql`alter table product_daily_away rename to product_daily`);
    }
    await page.getByRole('link', { name: say.common.actions.retry }).click();
    await page.getByText('Woven mat').first().waitFor();
    // Its file is gone: text replaces it.
    const [photo] = (await productRow(market, mat.id)).images;
    await market.services.storage.delete(
      photo?.widths.map((width) => fileKey(photo.key, width)) ?? [],
    );
    // In a browser that has not cached it.
    const later = await visitAs(market, person, { language });
    await later.goto(`/${language}/seller/dashboard`);
    await later.getByText(say.common.product.imageUnavailable).waitFor();

    const member = await visitAs(market, await signUpMember(market, { language }), { language });
    const mend = await openBroken(
      member,
      `/${language}/seller/dashboard`,
      /\/api\/auth\/me$/,
      say.seller.dashboard.sellerFailed,
    );
    await mend();
    await button(member, say.common.actions.retry).click();
    await member.getByText(say.seller.dashboard.sellerFailed).waitFor({ state: 'detached' });
    await member.locator('input[name=name]').fill('Mama Ngono');
    line.cut();
    await button(member, say.seller.profile.save).click();
    await member.getByText(say.seller.profile.failedTitle).waitFor();
    await member.getByText(s('profile.failed', { message: say.common.states.retry })).waitFor();
    expect(await member.locator('input[name=name]').inputValue()).toBe('Mama Ngono');
    line.mend();
    await button(member, say.seller.profile.save).click();
    await member.getByText(say.seller.profile.saved).first().waitFor();
    // The wizard asks for the rest of the profile first.
    await member.goto(`/${language}/seller/upload`);
    await member.getByText(say.seller.profile.textBeforeUpload).waitFor();
    await button(member, say.seller.profile.save).click();
    await member.getByText(say.validation.required).first().waitFor();

    await suspend(market, person, 'Fake products');
    await page.reload();
    await page.getByText(s('suspended.reason', { reason: 'Fake products' })).waitFor();
    await page.getByText(say.seller.suspended.noAddress).waitFor();
    await writeSetting(market.job('test'), 'contactNumber', '+237954000000');
    await page.reload();
    const chat = page.getByRole('link', {
      name: s('suspended.whatsapp', { number: '+237 954 00 00 00' }),
    });
    expect(await chat.getAttribute('href')).toContain('https://wa.me/237954000000?text=');
    await writeSetting(market.job('test'), 'contactEmail', 'team@market.test');
    await page.reload();
    const mail = page.getByRole('link', { name: 'team@market.test' });
    expect(await mail.getAttribute('href')).toContain(
      `mailto:team@market.test?body=${encodeURIComponent(s('suspended.greeting', { email: person.email }))}`,
    );
    expect(await chat.count()).toBe(0);
    await market.db.delete(schema.settings);
    expect([...page.errors, ...later.errors, ...member.errors]).toEqual([]);
  });
});
