import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import type { Locator, Page } from 'playwright';
import { afterAll, expect, test } from 'vitest';
import { createAdmin } from '../../api/auth/createAdmin.ts';
import { jobContext } from '../../api/core/jobContext.ts';
import { schema } from '../../db/client.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import { linkIn, type Market, openMarket, phone } from '../support/market.ts';
import { makeOld } from '../support/old.ts';
import { jpeg } from '../support/photos.ts';
import { answerWhatsApp } from '../support/visits.ts';
import { patient } from './people.ts';

const product = { en: 'Hand-woven raffia basket', fr: 'Panier en raphia tressé à la main' };
const description = {
  en: 'Two handles, forty centimetres wide, never used.',
  fr: 'Deux anses, quarante centimètres de large, jamais servi.',
};
const number = '+237 699 12 34 56';

/**
 * The main journey (product §1): a seller signs up, verifies the address and submits a product with
 * a photo; an admin approves it; it queues; the job gives it a slot; a buyer finds it, consents,
 * and WhatsApp opens with the greeting. In browsers without what the oldest ones lack.
 */
export function walkTheWholePath(language: Language): void {
  const say = dictionaries[language];
  const market = openMarket();
  const folder = mkdtempSync(join(tmpdir(), 'marche54-photo-'));
  const photo = join(folder, 'basket.jpg');
  const email = `seller.${language}@example.test`;
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const at = (path: string) => `/${language}${path}`;

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  async function signUp(page: Page, { letterTo }: Market): Promise<void> {
    await page.goto(at('/seller/auth?mode=sign-up'));
    await page.locator('input[name=name]').fill('Odile Biya Kamga');
    await page.locator('input[name=email]').fill(email);
    await page.locator('input[name=password]').fill('a long password');
    await page.locator('input[name=whatsapp]').fill('12');
    await page.locator('input[name=location]').fill('Bafoussam, West');
    await button(page, say.seller.auth.signUp).click();
    // The form validates in its language, and keeps the input.
    await page.getByText(say.validation.phone).waitFor();
    await page.getByText(say.validation.agreed).waitFor();
    await page.locator('input[name=agreed]').check();
    expect(await page.locator('input[name=name]').inputValue()).toBe('Odile Biya Kamga');
    await page.locator('input[name=whatsapp]').fill(number);
    await button(page, say.seller.auth.signUp).click();
    await page.waitForURL('**/email-verification*');
    await page.getByText(say.seller.auth.createdToast).first().waitFor();
    await page.getByRole('heading', { name: say.seller.auth.createdTitle }).waitFor();
    const letter = await letterTo(email);
    expect(letter.subject).toBe(say.mail.verifyEmail.subject);
    await page.goto(linkIn(letter));
    await page.getByText(say.seller.verification.success.title).first().waitFor();
    await page.waitForURL('**/seller/dashboard*');
  }

  async function submitProduct(page: Page): Promise<void> {
    await page.goto(at('/seller/products/upload'));
    const fields = say.seller.wizard.fields;
    await page.getByLabel(fields.nameEn).fill(product.en);
    await page.getByLabel(fields.descriptionEn).fill(description.en);
    await page.getByLabel(fields.nameFr).fill(product.fr);
    await page.getByLabel(fields.descriptionFr).fill(description.fr);
    await page.getByLabel(fields.category, { exact: false }).selectOption('home_garden');
    await button(page, say.seller.wizard.actions.next).click();
    await page.getByLabel(fields.price, { exact: false }).first().fill('12500');
    await button(page, say.seller.wizard.actions.next).click();
    writeFileSync(photo, await jpeg());
    await page.locator('input[type=file]').first().setInputFiles(photo);
    await page.locator('[data-photo][data-state=sent]').waitFor();
    await button(page, say.seller.wizard.actions.next).click();
    await page.getByLabel(fields.sellerName).waitFor();
    await button(page, say.seller.wizard.actions.next).click();
    await page.getByLabel(say.common.paymentMethods.mtn_momo).check({ force: true });
    await button(page, say.seller.wizard.actions.next).click();
    await button(page, say.seller.wizard.actions.submit).click();
    await page.waitForURL('**/seller/dashboard*');
    await page.getByText(say.seller.wizard.success.title).first().waitFor();
    await page.getByText(say.common.status.pending).first().waitFor();
  }

  async function approve(page: Page, open: Market): Promise<void> {
    await createAdmin(
      { ...jobContext(open.host, 'admin:create'), auth: open.auth },
      { email: 'admin@example.test', name: 'Admin', password: 'an admin password' },
    );
    await page.goto(at('/admin/auth'));
    await page.locator('input[type=email]').fill('admin@example.test');
    await page.locator('input[type=password]').fill('an admin password');
    await button(page, say.admin.auth.submit).click();
    await page.waitForURL('**/admin/dashboard*');
    // One product waits for review: the figure leads to it.
    await page.getByRole('link', { name: say.admin.dashboard.pendingReviews, exact: true }).click();
    await page.waitForURL('**/admin/products/pending*');
    await page.getByText(product[language]).first().waitFor();
    await button(page, say.admin.pending.approve).first().click();
    const confirm = page
      .getByRole('dialog')
      .getByRole('button', { name: say.admin.pending.approve });
    if (await confirm.isVisible().catch(() => false)) await confirm.click();
    await page.getByText(say.admin.pending.approved).first().waitFor();
  }

  test(`a product travels from a seller to a buyer’s WhatsApp (${language})`, async () => {
    const open = await market;
    await open.reset({ accounts: true });
    open.pageCache.drop();
    const seller = await open.visit({ language });
    await makeOld(seller);
    await signUp(seller, open);
    await submitProduct(seller);
    expect(seller.errors).toEqual([]);

    const admin = await open.visit({ language });
    await makeOld(admin);
    await approve(admin, open);
    expect(admin.errors).toEqual([]);

    const buyer = await open.visit({ language, viewport: phone });
    await makeOld(buyer);
    await buyer.goto(at('/'));
    expect(await buyer.getByText(product[language]).count()).toBe(0);

    const filled = (await open.runNow('process-queue')) as { processedCount: number };
    expect(filled.processedCount).toBe(1);
    await buyer.reload();
    const stall = buyer.locator('.stall:not(.stall--empty)').first();
    await stall.getByText(product[language]).first().waitFor();
    expect(await stall.locator('xpath=..').getAttribute('data-stall')).toBe('11');
    const picture = stall.locator('img').first();
    // A stall that changes is another element, so each poll finds it again.
    await expect
      .poll(
        () =>
          picture.evaluate((image: HTMLImageElement) => {
            image.scrollIntoView({ block: 'center' });
            return image.complete && image.naturalWidth > 0;
          }),
        patient,
      )
      .toBe(true);

    await stall.locator('h3 a').click();
    await buyer.waitForURL('**/shop/11/**');
    await buyer.getByRole('heading', { name: product[language] }).waitFor();
    expect(await buyer.content()).not.toContain('699123456');

    await buyer.locator('dialog[data-live]').waitFor({ state: 'attached' });
    await buyer.locator('[data-action=contact]').first().click();
    const dialog = buyer.locator('dialog.contact');
    await dialog.getByText(say.shop.contact.safetyMoney).waitFor();
    await standsInForADialog(buyer, dialog);
    await buyer.locator('[data-action=contact]').first().click();
    await dialog.locator('input[name=consent]').check();
    await answerWhatsApp(buyer);
    const [tab] = await Promise.all([
      buyer.context().waitForEvent('page'),
      dialog.locator('[data-open]').click(),
    ]);
    await tab.waitForURL('https://wa.me/**');
    const link = new URL(tab.url());
    expect(link.pathname).toBe('/237699123456');
    expect(link.searchParams.get('text')).toBe(
      translator(language, 'shop')('whatsapp.greeting', { name: product[language], slot: '11' }),
    );
    expect(buyer.errors).toEqual([]);

    const [row] = await open.db.select().from(schema.products);
    const events = await open.db
      .select()
      .from(schema.engagementEvents)
      .where(eq(schema.engagementEvents.type, 'messageTap'));
    expect(events.map(({ productId, slotId }) => ({ productId, slotId }))).toEqual([
      { productId: row?.id, slotId: 11 },
    ]);

    // Three days later the listing ends: the stall is free, and the seller is notified.
    open.clock.advance({ hours: 72 });
    await open.runNow('process-queue');
    await buyer.goto(at('/'));
    expect(await buyer.locator('.stall:not(.stall--empty)').count()).toBe(0);
    expect((await open.letterTo(email)).subject).toBe(
      translator(language, 'mail')('listingEnded.subject', { product: product[language] }),
    );
  });
}

/** Tests `lib/dialog.ts` in place of a native dialog: backdrop, focus trap, hidden rest, Escape. */
async function standsInForADialog(page: Page, dialog: Locator): Promise<void> {
  expect(await page.evaluate(() => 'HTMLDialogElement' in window)).toBe(false);
  const inside = () => dialog.evaluate((one) => one.contains(document.activeElement));
  const hides = () =>
    page.locator('header.header').evaluate((one) => one.closest('[aria-hidden=true]') !== null);
  for (let press = 0; press < 12; press++) {
    await page.keyboard.press('Tab');
    expect(await inside()).toBe(true);
  }
  await page.locator('header a').first().focus();
  expect(await inside()).toBe(true);
  expect(await hides()).toBe(true);
  const covered = await page.evaluate(() => document.elementFromPoint(180, 20)?.closest('header'));
  expect(covered ?? null).toBe(null);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(await hides()).toBe(false);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-action'))).toBe(
    'contact',
  );
}
