import { eq } from 'drizzle-orm';
import type { Page } from 'playwright';
import { beforeEach, describe, expect, test } from 'vitest';
import { slotCount } from '../../api/shared/slots.ts';
import { assignToSlot } from '../../api/slots/assign.ts';
import { pauseSlot } from '../../api/slots/pause.ts';
import { removeFromSlot } from '../../api/slots/remove.ts';
import { resumeSlot } from '../../api/slots/resumeSlot.ts';
import { schema } from '../../db/client.ts';
import { dictionaries } from '../../locales/index.ts';
import { dateTime } from '../../site/src/lib/format.ts';
import { actors } from '../support/actors.ts';
import { sturdy } from '../support/database.ts';
import { openMarket } from '../support/market.ts';
import { approved, live, productRow, queueRows, runQueue, slotOf } from '../support/products.ts';
import { filled, hold, refuse, withoutLiveUpdates } from '../support/requests.ts';
import { visitAs } from '../support/visits.ts';

const market = await openMarket();
const { seller, admin } = await actors(market);
const ofAdmin = () => market.ctx(admin);
const route = '**/api/admin/slots';
const both = (name: string) => ({ name: { en: name, fr: name } });

beforeEach(async () => {
  await market.reset();
  market.pageCache.drop();
});

describe('the slot management', () => {
  const language = 'en';
  const say = dictionaries[language];
  const words = say.admin.slots;
  const card = (page: Page, slot: number) => page.locator(`[data-slot="${slot}"]`);
  const dialog = (page: Page) => page.locator('dialog[open]');
  const press = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).click();
  /** Presses a card's button, whose name contains the product. */
  const act = (page: Page, action: string, name: string) =>
    press(page, filled(words.actionOn, { action, name }));
  const hears = (page: Page, text: string) =>
    page.locator('[data-sonner-toast]', { hasText: text }).first().waitFor();
  const figure = (page: Page, name: string) => page.locator(`[data-figure=${name}]`).innerText();

  async function open(input: { news?: false } = {}) {
    const page = await visitAs(market, admin, { language });
    if (input.news === false) await withoutLiveUpdates(page);
    await page.goto(`/${language}/admin/slots`);
    await card(page, 54).waitFor();
    return page;
  }

  test('shows all 54, what is in each, how long still, and what is free', async () => {
    const { id, slotId } = await live(market, seller, admin, {
      ...both('Talking drum'),
      listingType: 'featured',
    });
    await sturdy(() =>
      market.db.update(schema.slots).set({ isFeatured: true }).where(eq(schema.slots.id, slotId)),
    );
    const occurredAt = market.clock.now();
    const seen = (['view', 'messageTap', 'share'] as const).map((type) => ({
      type,
      slotId,
      productId: id,
      visitor: 'somebody',
      occurredAt,
    }));
    await sturdy(() => market.db.insert(schema.engagementEvents).values(seen));
    const page = await visitAs(market, admin, { language });
    const release = await hold(page, route);
    await page.goto(`/${language}/admin/slots`);
    await page.getByText(words.loading).waitFor();
    await release();
    await card(page, 1).getByText('Talking drum').waitFor();
    expect(await page.locator('[data-slot]').count()).toBe(slotCount);
    expect(await figure(page, 'active')).toBe('1/54');
    expect(await figure(page, 'featured')).toBe('1');
    await page.getByRole('heading', { name: words.premium }).waitFor();
    await page.getByRole('heading', { name: words.standard }).waitFor();
    await card(page, 1).getByText(words.stateActive, { exact: true }).waitFor();
    await card(page, 1)
      .getByText(filled(words.seller, { name: seller.name }))
      .waitFor();
    expect((await card(page, 1).locator('dl').innerText()).match(/\d+/g)).toEqual(['1', '1', '1']);
    expect(await card(page, 2).innerText()).toContain(words.available);
    expect(await card(page, 2).innerText()).toContain(words.premiumPlacement);
    expect(await card(page, 11).innerText()).toContain(words.standardPlacement);

    // Filters, and their empty state.
    await page.locator('.filters button', { hasText: words.stateActive }).click();
    expect(await page.locator('[data-slot]').count()).toBe(1);
    await page.locator('.filters button', { hasText: words.statePaused }).click();
    await page.getByText(words.noneShown).first().waitFor();
    await page.locator('.filters button', { hasText: words.all }).click();

    // Countdowns use the server's clock and end without a request.
    market.clock.advance({ hours: 69 });
    await press(page, say.common.actions.refresh);
    await card(page, 1)
      .getByText(filled(say.common.time.leftHours, { hours: 2, minutes: 59 }))
      .waitFor();
    market.clock.advance({ hours: 2, minutes: 59, seconds: 56 });
    await press(page, say.common.actions.refresh);
    await card(page, 1).getByText(say.common.time.leftUnderMinute).waitFor();
    await page.locator('[data-slot="1"][data-state=expired]').waitFor();
    expect(await figure(page, 'active')).toBe('0/54');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      360,
    );
    expect(page.errors).toEqual([]);
  });

  test('follows what happens elsewhere, without a reload', async () => {
    const page = await open();
    await approved(market, seller, admin, both('Raffia basket'));
    await runQueue(market);
    await card(page, 11).getByText('Raffia basket').waitFor();
    const slot = await market.db.select().from(schema.slots).where(eq(schema.slots.id, 11));
    await pauseSlot(await ofAdmin(), 11, slot[0]?.productId ?? '');
    await page.locator('[data-slot="11"][data-state=paused]').waitFor();
    expect(page.errors).toEqual([]);
  });

  test('says that it could not be loaded, and tries again', async () => {
    const page = await visitAs(market, admin, { language });
    const letGo = await refuse(page, route, 'Too much at once');
    await page.goto(`/${language}/admin/slots`);
    await page.getByText(filled(say.admin.slots.error, { reason: 'Too much at once' })).waitFor();
    await page.getByText(say.admin.slots.adminDataFailed).waitFor();
    await letGo();
    await press(page, say.common.actions.retry);
    await card(page, 54).waitFor();
    // A failed refresh keeps the earlier data in view.
    const again = await refuse(page, route, 'Too much at once');
    await press(page, say.common.actions.refresh);
    await page.getByText(say.admin.slots.adminDataFailed).waitFor();
    expect(await page.locator('[data-slot]').count()).toBe(slotCount);
    await again();
    await press(page, say.common.actions.refresh);
    await page.getByText(say.admin.slots.adminDataFailed).waitFor({ state: 'detached' });
  });

  test('edits a slot: the new end is shown before, a failed save loses nothing, another admin’s change is respected', async () => {
    const { id, slotId } = await live(market, seller, admin, { ...both('Radio'), price: 20_000 });
    const page = await open({ news: false });
    await act(page, words.edit, 'Radio');
    await dialog(page)
      .getByText(filled(words.editDialog.title, { slot: '11' }))
      .waitFor();
    const field = (name: string) => dialog(page).locator(`[name=${name}]`);
    expect(await field('price').inputValue()).toBe('20000');
    expect(await field('location').inputValue()).toBe('Douala, Littoral');
    await field('price').fill('');
    await press(page, words.editDialog.save);
    await dialog(page).getByText(say.validation.required).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('price');
    await field('price').fill('25 000');
    await field('nameEn').fill('Radio with batteries');
    await field('nameFr').fill('Radio with batteries');
    await field('location').fill('Bafoussam, West');
    await field('durationHours').selectOption('24');
    const end = new Date(market.clock.now().getTime() + 24 * 3_600_000);
    const shown = await dialog(page).locator('.note').innerText();
    expect(
      [0, 60_000].map((late) =>
        filled(words.editDialog.newEnd, { end: dateTime(end.getTime() + late, language, 'full') }),
      ),
    ).toContain(shown.trim());

    const letGo = await refuse(page, `${route}/11`, 'The server is tired', 500);
    await press(page, words.editDialog.save);
    await dialog(page).getByText(say.admin.slots.updateFailed).waitFor();
    await dialog(page).getByText('The server is tired').waitFor();
    expect(await field('nameEn').inputValue()).toBe('Radio with batteries');
    await letGo();

    const touched = new Date(market.clock.now().getTime() + 1000);
    await sturdy(() =>
      market.db
        .update(schema.products)
        .set({ businessName: 'Chez Ngo', updatedAt: touched })
        .where(eq(schema.products.id, id)),
    );
    await press(page, words.editDialog.save);
    await dialog(page).getByText(say.errors.products.changed).waitFor();
    await dialog(page).locator('[name=condition]').selectOption('used');
    await expect.poll(() => field('businessName').inputValue()).toBe('Chez Ngo');
    expect(await field('price').inputValue()).toBe('25 000');
    await press(page, words.editDialog.save);
    await hears(page, filled(say.admin.slots.updated, { slot: '11' }));
    await card(page, slotId).getByText('Radio with batteries').waitFor();
    expect(await productRow(market, id)).toMatchObject({
      price: 25_000,
      city: 'Bafoussam',
      region: 'West',
      businessName: 'Chez Ngo',
      condition: 'used',
      durationSeconds: 259_200,
    });
    expect((await slotOf(market, id))?.endTime).toEqual(end);

    // Another admin emptied the slot under the open dialog.
    await act(page, words.edit, 'Radio with batteries');
    await removeFromSlot(await ofAdmin(), slotId, { productId: id });
    await press(page, words.editDialog.save);
    await hears(page, filled(say.errors.slots.empty, { what: say.admin.meanwhile.stopped }));
    await page.locator(`[data-slot="${slotId}"][data-state=empty]`).waitFor();
    expect(page.errors).toEqual([]);
  });

  test('pauses, resumes and removes after asking; the time left can go back into the queue', async () => {
    const { id, slotId } = await live(market, seller, admin, both('Radio'));
    const page = await open();
    await act(page, words.pause, 'Radio');
    await dialog(page)
      .getByText(filled(words.confirm.pauseTitle, { slot: '11' }))
      .waitFor();
    const letGo = await refuse(page, `${route}/11/pause`, 'The server is tired', 500);
    await dialog(page).getByRole('button', { name: words.pause, exact: true }).click();
    await dialog(page)
      .getByText(filled(say.admin.slots.pauseFailed, { reason: 'The server is tired' }))
      .waitFor();
    await letGo();
    await dialog(page).getByRole('button', { name: words.pause, exact: true }).click();
    await hears(page, filled(say.admin.slots.paused, { slot: '11' }));
    await page.locator('[data-slot="11"][data-state=paused]').waitFor();

    await act(page, words.resume, 'Radio');
    await dialog(page)
      .getByText(filled(words.confirm.resumeTitle, { slot: '11' }))
      .waitFor();
    await dialog(page).getByRole('button', { name: words.resume, exact: true }).click();
    await hears(page, filled(say.admin.slots.resumed, { slot: '11' }));
    await page.locator('[data-slot="11"][data-state=live]').waitFor();

    await act(page, words.remove, 'Radio');
    await dialog(page).getByText(words.confirm.removeText).waitFor();
    await dialog(page).locator('input[type=checkbox]').check();
    await dialog(page).getByText(words.confirm.removeRequeueText).waitFor();
    await dialog(page).getByRole('button', { name: words.remove, exact: true }).click();
    await hears(page, filled(say.admin.slots.removed, { slot: '11' }));
    await page.locator('[data-slot="11"][data-state=empty]').waitFor();
    expect((await queueRows(market)).map((row) => row.productId)).toEqual([id]);
    // The button is gone with the card: the focus stays at the same slot.
    await expect
      .poll(() =>
        page.evaluate(() =>
          document.activeElement?.closest('[data-slot]')?.getAttribute('data-slot'),
        ),
      )
      .toBe(String(slotId));
    expect(page.errors).toEqual([]);
  });

  test('says what another admin did meanwhile, and shows it', async () => {
    const { id, slotId } = await live(market, seller, admin, both('Radio'));
    const page = await open({ news: false });
    await act(page, words.pause, 'Radio');
    await pauseSlot(await ofAdmin(), slotId, id);
    await dialog(page).getByRole('button', { name: words.pause, exact: true }).click();
    await hears(page, filled(say.admin.slots.pauseFailed, { reason: say.errors.slots.paused }));
    await act(page, words.resume, 'Radio');
    await resumeSlot(await ofAdmin(), slotId, id);
    await dialog(page).getByRole('button', { name: words.resume, exact: true }).click();
    await hears(page, filled(say.admin.slots.resumeFailed, { reason: say.errors.slots.notPaused }));
    await act(page, words.remove, 'Radio');
    const other = await approved(market, seller, admin, both('Stew pot'));
    await removeFromSlot(await ofAdmin(), slotId, { productId: id });
    await assignToSlot(await ofAdmin(), { productId: other.id, slotId });
    await dialog(page).getByRole('button', { name: words.remove, exact: true }).click();
    await hears(page, filled(say.admin.slots.removeFailed, { reason: say.errors.slots.changed }));
    // The slot's new product was not touched.
    await card(page, slotId).getByText('Stew pot').waitFor();
    expect((await slotOf(market, other.id))?.id).toBe(slotId);
    expect(page.errors).toEqual([]);
  });

  test('fills an empty slot with a waiting product, for 72 hours or the seller’s own time', async () => {
    const page = await open({ news: false });
    const assign = (slot: string) => act(page, words.assign, filled(words.number, { slot }));
    await assign('12');
    await dialog(page).getByText(words.assignDialog.none).waitFor();
    await page.keyboard.press('Escape');

    const first = await approved(market, seller, admin, both('Radio'));
    const second = await approved(market, seller, admin, {
      ...both('Stew pot'),
      durationHours: 24,
    });
    await assign('12');
    await dialog(page).locator('select').selectOption(second.id);
    await dialog(page).locator('input[value=own]').check({ force: true });
    const letGo = await refuse(page, `${route}/12/assign`, 'The server is tired', 500);
    await dialog(page)
      .getByRole('button', { name: say.admin.queue.assignDialog.submit, exact: true })
      .click();
    await dialog(page).getByText('The server is tired').waitFor();
    expect(await dialog(page).locator('select').inputValue()).toBe(second.id);
    await letGo();
    await dialog(page)
      .getByRole('button', { name: say.admin.queue.assignDialog.submit, exact: true })
      .click();
    await hears(page, filled(say.admin.queue.assigned, { slot: '12' }));
    await card(page, 12).getByText('Stew pot').waitFor();
    expect((await slotOf(market, second.id))?.endTime).toEqual(
      new Date(market.clock.now().getTime() + 24 * 3_600_000),
    );

    // Another admin takes the slot first.
    await assign('13');
    await dialog(page).locator('select').waitFor();
    const third = await approved(market, seller, admin, both('Drum'));
    await assignToSlot(await ofAdmin(), { productId: third.id, slotId: 13 });
    await dialog(page)
      .getByRole('button', { name: say.admin.queue.assignDialog.submit, exact: true })
      .click();
    await hears(page, say.errors.slots.taken);
    await card(page, 13).getByText('Drum').waitFor();
    expect((await queueRows(market)).map((row) => row.productId)).toEqual([first.id]);
    expect(page.errors).toEqual([]);
  });
});
