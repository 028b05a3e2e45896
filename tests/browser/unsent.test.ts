import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { schema } from '../../db/client.ts';
import { dictionaries } from '../../locales/index.ts';
import { signInAdmin, signUpMember, signUpSeller } from '../support/actors.ts';
import { grant } from '../support/credits.ts';
import { openMarket } from '../support/market.ts';
import { live } from '../support/products.ts';
import { expectUsable, visitAs } from '../support/visits.ts';
import { button, form, photo, productsOf } from './wizard.ts';

/** Sending later what was typed without a network (docs/offline.md). */
const market = await openMarket();
test('a product that is submitted without a network goes by itself, once, and nobody throws it away unasked', async () => {
  const person = await signUpSeller(market, { language: 'fr', name: 'Ngo Mbarga' });
  const page = await visitAs(market, person, { language: 'fr' });
  const { waiting } = dictionaries.fr.seller.wizard;
  const names = async () =>
    (await productsOf(market, person.sellerId ?? ''))
      .map(({ name }) => (name as { en: string }).en)
      .toSorted();
  const submitOffline = async (name: string, from: Page = page) => {
    const { say: words, next, at, field, pick } = form(from, 'fr');
    await from.goto('/fr/seller/products/upload');
    await field('name.fr').fill(name);
    await field('description.fr').fill('Deux anses, jamais utilisé.');
    await field('sameText').check();
    await field('category').selectOption('home_garden');
    await next();
    await field('price').fill('12 500');
    await next();
    await at('images');
    await from.context().setOffline(true);
    await pick([await photo('a.jpg', 40, 120)]);
    await next();
    await at('seller');
    await next();
    await from.locator('input[name=paymentMethod][value=cash]').check();
    await next();
    await at('review');
    await button(from, words.actions.submit).click();
    await from.getByText(waiting.title).waitFor();
    // The note names the cost of a try.
    await from.getByText(/environ [\d,]+\sko/i).waitFor();
  };
  await submitOffline('Panier');
  await expectUsable(page);
  // A server that has no time for the photo is no refusal: it still waits.
  let refused = 0;
  const busy = { error: { code: 'uploads.busy', message: 'busy', fields: [], requestId: '' } };
  await page.route('**/api/uploads', (route) => {
    refused += 1;
    return route.fulfill({ status: 503, json: busy });
  });
  await page.context().setOffline(false);
  await expect.poll(() => refused).toBeGreaterThan(0);
  await page.unroute('**/api/uploads');
  await page.getByText(waiting.title).waitFor();
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await page.waitForURL('**/seller/dashboard*');
  expect(await names()).toEqual(['Panier']);

  // A closed page: the next visit says so, and sends it once it is opened.
  await submitOffline('Tapis');
  const later = await page.context().newPage();
  await page.close();
  await later.context().setOffline(false);
  await later.goto('/fr/seller/dashboard');
  await later.getByText(waiting.note).waitFor();
  await expectUsable(later);
  let asked = '';
  later.once('dialog', (dialog) => {
    asked = dialog.message();
    void dialog.dismiss();
  });
  await button(later, dictionaries.fr.seller.dashboard.signOut).first().click();
  await expect.poll(() => asked).toBe(waiting.signOut);
  await later.getByRole('link', { name: waiting.open }).click();
  await later.waitForURL('**/seller/dashboard?listed=*');
  expect(await names()).toEqual(['Panier', 'Tapis']);

  // Signing out all the same throws it away, photos and all.
  await submitOffline('Natte', later);
  await later.route('**/api/**', (route) => route.abort());
  await later.context().setOffline(false);
  await later.goto('/fr/seller/dashboard');
  await later.unroute('**/api/**');
  later.once('dialog', (dialog) => void dialog.accept());
  await button(later, dictionaries.fr.seller.dashboard.signOut).first().click();
  await later.waitForURL('**/seller/auth*');
  expect(
    await later.evaluate(() => Object.keys(localStorage).filter((key) => /draft/.test(key))),
  ).toEqual([]);
  expect(await names()).toHaveLength(2);
  expect(page.errors).toEqual([]);
});

test('a report that could not be sent keeps what was typed, and is sent again', async () => {
  const { slotId } = await live(market, await signUpSeller(market), await signInAdmin(market));
  const words = dictionaries.fr.offline.unsent;
  const page = await market.visit({ language: 'fr', serviceWorkers: 'allow' });
  await page.goto(`/fr/shop/${slotId}`);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await page.locator('#report summary').click();
  await page.locator('#report-reason').selectOption({ index: 1 });
  await page.locator('#report-note').fill('Le prix a changé "hier" & demain');
  await page.context().setOffline(true);
  await page.locator('#report button').click();
  await page.getByRole('heading', { name: words.title }).waitFor();
  await page.getByText('Le prix a changé "hier" & demain').waitFor();
  await expectUsable(page);
  await button(page, words.send).click();
  await page.getByRole('heading', { name: words.title }).waitFor();
  await page.context().setOffline(false);
  await button(page, words.send).click();
  await page.waitForURL('**report=sent**');
  expect(await market.db.select().from(schema.reports)).toMatchObject([
    { note: 'Le prix a changé "hier" & demain' },
  ]);
});

test('a post that could not be sent asks again if the balance changed, and is paid once', async () => {
  const member = await signUpMember(market);
  await grant(market, member, 5);
  const { create } = dictionaries.fr.connect;
  const page = await visitAs(market, member, { language: 'fr' });
  await page.goto('/fr/connect');
  await page.getByRole('link', { name: dictionaries.fr.connect.frame.create }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/5\scrédits/).waitFor();
  await dialog.getByLabel(create.name).fill('Réparer un robinet');
  await dialog.getByLabel(create.description).fill('Il goutte depuis hier dans la cuisine.');
  await dialog.locator('select').first().selectOption({ index: 1 });
  await page.context().setOffline(true);
  await button(dialog, create.publish).click();
  await dialog.getByText(create.unanswered).waitFor();
  await page.context().setOffline(false);
  await grant(market, member, 3);
  await page.reload();
  await dialog.getByText(/8\scrédits/).waitFor();
  await dialog.getByText(create.tried.text).waitFor();
  await expectUsable(page, 'dialog');
  await button(dialog, create.publish).click();
  await dialog.getByText(create.tried.changed.split('.')[0] ?? '').waitFor();
  expect(await market.db.$count(schema.connectPosts)).toBe(0);
  await button(dialog, create.publish).click();
  await page.waitForURL(/connect\/[a-z0-9]{8}$/);
  expect(await market.db.$count(schema.connectPosts)).toBe(1);
  expect(page.errors).toEqual([]);
});
