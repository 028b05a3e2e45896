import { eq } from 'drizzle-orm';
import type { Page } from 'playwright';
import { beforeEach, describe, expect, test } from 'vitest';
import { schema } from '../../db/client.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { actors } from '../support/actors.ts';
import { openMarket } from '../support/market.ts';
import { productRow, queueRows, submitted } from '../support/products.ts';
import { expectUsable, visitAs } from '../support/visits.ts';

/**
 * An admin completes a product's missing fields (decision 038), and only available actions are
 * offered.
 */
const market = await openMarket();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());
const { products } = schema;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('what a product lacks', () => {
  const language = 'en';
  const say = dictionaries[language];
  const words = say.admin.integrity;
  const t = translator(language, 'admin');
  const names = { name: { en: 'Old radio', fr: 'Vieux poste' } };
  const name = names.name[language];

  test('is filled in from the report, in the wizard of the sellers, and a recheck approves it', async () => {
    const { id } = await submitted(market, seller, names);
    await market.db
      .update(products)
      .set({ price: null, category: null, durationSeconds: null, paymentMethod: null })
      .where(eq(products.id, id));
    const page = await visitAs(market, admin, { language });
    await page.goto(`/${language}/admin/dashboard?tab=integrity`);
    await page.getByRole('link', { name: `${words.complete}: ${name}` }).click();
    const missing = [
      words.fields.price,
      words.fields.duration_seconds,
      words.fields.category,
      words.fields.payment_method,
    ].join(', ');
    await page.getByText(t('integrity.missing', { fields: missing })).waitFor();
    await expectUsable(page);
    const next = button(page, say.seller.wizard.actions.next);
    await page.locator('select[name=category]').selectOption('electronics');
    await next.click();
    await page.locator('input[name=price]').fill('13000');
    await page.getByText(say.seller.wizard.typeFixed).waitFor();
    await page.locator('input[name=durationHours][value="48"]').check();
    await next.click();
    await page.locator('.photo').waitFor();
    await next.click();
    await page.locator('input[name=sellerWhatsapp]').waitFor();
    expect(await page.locator('input[name=sellerId]').count()).toBe(0);
    await next.click();
    await page.locator('input[name=paymentMethod][value=cash]').check();
    await next.click();
    await page.getByText(say.seller.wizard.review.afterCorrection).waitFor();
    await button(page, say.seller.wizard.actions.save).click();
    await page.getByText(words.corrected).waitFor();
    expect(await productRow(market, id)).toMatchObject({
      status: 'pending',
      price: 13_000,
      category: 'electronics',
      durationSeconds: 172_800,
      paymentMethod: 'cash',
    });
    await button(page, words.recheck).click();
    await page.getByText(words.rechecked).first().waitFor();
    expect((await queueRows(market)).map((row) => row.productId)).toEqual([id]);
    expect(page.errors).toEqual([]);
  });

  test('is said among the pending products, where it is not to be approved, alone or with others', async () => {
    const { id } = await submitted(market, seller, names);
    const whole = await submitted(market, seller, { name: { en: 'Drum', fr: 'Tambour' } });
    await market.db.update(products).set({ price: null }).where(eq(products.id, id));
    const page = await visitAs(market, admin, { language });
    await page.goto(`/${language}/admin/products/pending`);
    const card = page.locator('.submission', { hasText: name });
    await card.getByText(t('pending.missing', { fields: words.fields.price })).waitFor();
    expect(await button(card as never, say.admin.pending.approve).count()).toBe(0);
    expect(
      await card.getByRole('link', { name: say.admin.pending.complete }).getAttribute('href'),
    ).toBe(`/${language}/admin/products/${id}/edit`);
    await page.getByLabel(say.admin.pending.selectAll).check();
    await button(page, say.admin.pending.approveSelected).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(t('pending.approveSelectedTitle', { count: 1 })).waitFor();
    await dialog.getByText(t('pending.selectedCannot', { count: 1 })).waitFor();
    await dialog.getByRole('button', { name: say.admin.pending.approve, exact: true }).click();
    await page
      .getByText(t('pending.selectedApproved', { count: 1 }))
      .first()
      .waitFor();
    expect([
      (await productRow(market, whole.id)).status,
      (await productRow(market, id)).status,
    ]).toEqual(['approved', 'pending']);
    await card.getByRole('link', { name: say.admin.pending.complete }).click();
    // Duration and payment method were chosen: only the price is asked for, without a payment step.
    await page.locator('input[name="name.en"]').waitFor();
    expect(await page.locator('.wizard__rail li').count()).toBe(5);
    expect(page.errors).toEqual([]);
  });
});
