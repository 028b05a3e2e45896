import type { Page } from 'playwright';
import { beforeEach, describe, expect, test } from 'vitest';
import { moveInQueue } from '../../api/queue/move.ts';
import { removeFromQueue } from '../../api/queue/remove.ts';
import { slotCount } from '../../api/shared/slots.ts';
import { assignToSlot } from '../../api/slots/assign.ts';
import { dictionaries } from '../../locales/index.ts';
import { actors, suspend, unsuspend } from '../support/actors.ts';
import { sturdy } from '../support/database.ts';
import { openMarket } from '../support/market.ts';
import { approved, productRow, queueRows, slotOf } from '../support/products.ts';
import { rawLeave } from '../support/queueEntries.ts';
import { filled, hold, refuse, withoutLiveUpdates } from '../support/requests.ts';
import { rawRows } from '../support/rows.ts';
import { visitAs } from '../support/visits.ts';

const market = await openMarket();
const { seller, otherSeller, admin } = await actors(market);
const ofAdmin = () => market.ctx(admin);
const rows = rawRows(market.sql);
const lane = /\/api\/admin\/queue\?/;
const both = (name: string) => ({ name: { en: name, fr: name } });
/** Queues products in this order. */
async function wait(...names: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push((await approved(market, seller, admin, both(name))).id);
  return ids;
}
/** Deletes a queue item behind the verbs' back, without an event. */
const lose = (id: string) =>
  sturdy(() =>
    market.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`delete from queue_items where product_id = ${id}`;
    }),
  );

/** Deletes a waiting product for good, as its seller's deletion does. */
const removeProduct = (id: string) =>
  sturdy(() =>
    market.sql.begin(async (tx) => {
      await rawLeave(tx as never, id);
      await tx`delete from products where id = ${id}`;
    }),
  );

beforeEach(async () => {
  await market.reset();
  await unsuspend(market, otherSeller);
  market.pageCache.drop();
});

describe('the queue management', () => {
  const language = 'en';
  const say = dictionaries[language];
  const words = say.admin.queue;
  const dialog = (page: Page) => page.locator('dialog[open]');
  const press = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).click();
  /** An item's button, whose name contains the product. */
  const button = (page: Page, action: string, name: string) =>
    page.getByRole('button', { name: filled(words.actionOn, { action, name }), exact: true });
  /**
   * By keyboard: the toast of the move before may cover the button. Each move waits for the one
   * before.
   */
  const act = async (page: Page, action: string, name: string) => {
    await page.locator('.queue:not([aria-busy])').waitFor();
    await button(page, action, name).press('Enter');
  };
  const submit = (page: Page) => dialog(page).locator('footer button[type=submit]').click();
  const hears = (page: Page, text: string) =>
    page.locator('[data-sonner-toast]', { hasText: text }).first().waitFor();
  const shown = (page: Page) => page.locator('.waiting h3').allInnerTexts();
  const order = (page: Page, ...names: string[]) => expect.poll(() => shown(page)).toEqual(names);

  async function open(input: { news?: false; tab?: 'featured' | 'regular' } = {}) {
    const page = await visitAs(market, admin, { language });
    if (input.news === false) await withoutLiveUpdates(page);
    await page.goto(`/${language}/admin/queue`);
    await page.locator('[data-figure=wait]').waitFor();
    await page.getByRole('tab', { name: words.lanes[input.tab ?? 'regular'] }).click();
    return page;
  }

  test('loads, says that nothing waits, that it could not be read, and follows what happens elsewhere', async () => {
    const page = await visitAs(market, admin, { language });
    const release = await hold(page, lane);
    await page.goto(`/${language}/admin/queue`);
    await page.getByText(words.loading).waitFor({ state: 'attached' });
    await release();
    await page.getByText(words.empty).waitFor();
    const figure = (name: string) => page.locator(`[data-figure=${name}]`).innerText();
    expect(await figure('wait')).toContain(words.perPosition);
    expect(await figure('wait')).toContain(words.notMeasured);
    expect(await figure('rate')).toContain(filled(words.perDay, { rate: 12 }));
    expect(await figure('priority')).toContain(words.featuredRequests);
    await page.getByText(words.note).waitFor();

    await approved(market, otherSeller, admin, {
      ...both('Radio'),
      listingType: 'featured',
      preferredFeaturedSlot: 3,
    });
    const item = page.locator('.waiting');
    await item.getByText(filled(words.preferredSlot, { slot: '03' })).waitFor();
    await item.getByText(otherSeller.name).waitFor();
    await expect.poll(() => figure('priority')).toContain('1');
    await suspend(market, otherSeller);
    await item.getByText(words.sellerSuspended).waitFor();
    expect(await button(page, words.assign, 'Radio').isDisabled()).toBe(true);

    const letGo = await refuse(page, lane, 'Too much at once');
    await page.getByRole('tab', { name: words.lanes.regular }).click();
    await page
      .getByText(filled(say.admin.queue.fetchFailed, { reason: 'Too much at once' }))
      .waitFor();
    await letGo();
    await press(page, say.common.actions.retry);
    await page.getByText(words.empty).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      360,
    );
    expect(page.errors).toEqual([]);
  });

  test('moves up, down and to the top, by the keyboard too, and never past somebody unseen', async () => {
    const ids = await wait('Radio', 'Drum', 'Stew pot');
    const page = await open({ news: false });
    await order(page, 'Radio', 'Drum', 'Stew pot');
    expect(await button(page, words.moveUp, 'Radio').getAttribute('aria-disabled')).toBe('true');
    expect(await button(page, words.moveDown, 'Stew pot').getAttribute('aria-disabled')).toBe(
      'true',
    );
    await act(page, words.moveDown, 'Radio');
    await hears(page, say.admin.queue.movedDown);
    await order(page, 'Drum', 'Radio', 'Stew pot');
    // The focus follows the product.
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await expect
      .poll(focused)
      .toBe(filled(words.actionOn, { action: words.moveDown, name: 'Radio' }));
    await page.locator('.queue:not([aria-busy])').waitFor();
    await button(page, words.moveUp, 'Stew pot').click();
    await hears(page, say.admin.queue.movedUp);
    await order(page, 'Drum', 'Stew pot', 'Radio');
    await act(page, words.moveTop, 'Radio');
    await hears(page, say.admin.queue.movedTop);
    await order(page, 'Radio', 'Drum', 'Stew pot');

    // Another admin made the same move first: it is not made twice.
    await moveInQueue(await ofAdmin(), ids[2] ?? '', { direction: 'up', past: ids[1] });
    await act(page, words.moveUp, 'Stew pot');
    await hears(page, say.errors.queue.changed);
    await order(page, 'Radio', 'Stew pot', 'Drum');
    // A product that had dropped out of the queue is put back instead.
    await lose(ids[1] ?? '');
    await act(page, words.moveUp, 'Drum');
    await hears(page, say.admin.queue.synced);
    await act(page, words.moveUp, 'Drum');
    await order(page, 'Radio', 'Drum', 'Stew pot');
    // A product that another admin removed is gone.
    await removeFromQueue(await ofAdmin(), ids[2] ?? '');
    await act(page, words.moveTop, 'Stew pot');
    await hears(page, say.errors.queue.removed);
    await order(page, 'Radio', 'Drum');
    // So is one that was deleted for good.
    await removeProduct(ids[1] ?? '');
    await act(page, words.moveUp, 'Drum');
    await hears(page, say.admin.queue.notInDatabase);
    await order(page, 'Radio');
    expect(page.errors).toEqual([]);
  });

  test('assigns a slot: the first of the lane, another one, the seller’s own time; a slot that was taken is said', async () => {
    const { id: own } = await approved(market, seller, admin, {
      ...both('Radio'),
      durationHours: 24,
    });
    const [drum = ''] = await wait('Drum');
    const page = await open({ news: false });
    await act(page, words.assign, 'Radio');
    const slot = dialog(page).locator('select');
    await slot.waitFor();
    expect(await slot.inputValue()).toBe('11');
    expect(await slot.locator('option').count()).toBe(slotCount);
    await dialog(page).locator('input[value=own]').check({ force: true });
    const letGo = await refuse(page, /queue\/.*\/assign/, 'The server is tired', 500);
    // A failure reloads the free slots, here still before the other admin takes one.
    const read = page.waitForResponse(/\/api\/admin\/slots$/);
    await submit(page);
    await dialog(page).getByText('The server is tired').waitFor();
    await letGo();
    await read;
    await assignToSlot(await ofAdmin(), { productId: drum, slotId: 11 });
    await submit(page);
    await dialog(page).getByText(say.errors.slots.taken).waitFor();
    // The slot that was taken is no longer offered.
    await expect.poll(() => slot.inputValue()).toBe('12');
    await slot.selectOption('14');
    await submit(page);
    await hears(page, filled(say.admin.queue.assigned, { slot: '14' }));
    await page.getByText(words.empty).waitFor();
    expect((await slotOf(market, own))?.endTime).toEqual(
      new Date(market.clock.now().getTime() + 24 * 3_600_000),
    );

    await wait('Stew pot');
    for (const free of Array.from({ length: slotCount }, (_, n) => n + 1).filter(
      (n) => n !== 11 && n !== 14 && n !== 5,
    ))
      await sturdy(() => rows.placed(free));
    await press(page, say.common.actions.refresh);
    await act(page, words.assign, 'Stew pot');
    // Only a slot of the other lane is left: it is not preselected.
    await dialog(page).getByText(words.noLaneSlot).waitFor();
    expect(await slot.inputValue()).toBe('');
    expect(await dialog(page).locator('footer button[type=submit]').isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await sturdy(() => rows.placed(5));
    await act(page, words.assign, 'Stew pot');
    await dialog(page).getByText(say.admin.queue.noSlots, { exact: true }).waitFor();
    expect(await dialog(page).locator('footer button[type=submit]').count()).toBe(0);
    expect(page.errors).toEqual([]);
  });

  test('removes after asking, takes it back, and keeps what was removed within reach', async () => {
    const [radio = '', drum = ''] = await wait('Radio', 'Drum', 'Stew pot');
    const page = await open({ news: false });
    await act(page, words.remove, 'Radio');
    await dialog(page)
      .getByText(filled(words.removeDialog.title, { name: 'Radio' }))
      .waitFor();
    await dialog(page).getByText(words.removeDialog.text).waitFor();
    const letGo = await refuse(page, /queue\/.*\/remove/, 'The server is tired', 500);
    await submit(page);
    await dialog(page)
      .getByText(filled(words.actionFailed, { reason: 'The server is tired' }))
      .waitFor();
    await letGo();
    await submit(page);
    await hears(page, say.admin.queue.removed);
    await order(page, 'Drum', 'Stew pot');
    expect((await productRow(market, radio)).removedAt).not.toBeNull();
    await press(page, say.common.actions.undo);
    await hears(page, words.restored);
    await order(page, 'Radio', 'Drum', 'Stew pot');

    await lose(drum);
    await act(page, words.remove, 'Drum');
    await submit(page);
    await hears(page, say.admin.queue.deletedOnly);
    await order(page, 'Radio', 'Stew pot');
    await page.locator('.removed summary').press('Enter');
    await act(page, words.restore, 'Drum');
    await page.getByText(words.noneRemoved).waitFor();
    await order(page, 'Radio', 'Stew pot', 'Drum');

    // Another admin was faster: the dialog has nothing to ask about.
    await act(page, words.remove, 'Stew pot');
    await assignToSlot(await ofAdmin(), {
      productId: (await queueRows(market))[1]?.productId ?? '',
      slotId: 20,
    });
    await submit(page);
    await hears(page, filled(say.errors.queue.alreadyAssigned, { slot: '20' }));
    await order(page, 'Radio', 'Drum');
    expect(page.errors).toEqual([]);
  });

  test('assigns now, rebuilds, and turns pages', async () => {
    for (let n = 1; n <= 22; n++) await rows.queued(n * 3);
    await wait('Radio');
    const page = await open({ news: false });
    await page.getByText(filled(say.common.pagination.page, { page: 1, total: 2 })).waitFor();
    await press(page, say.common.pagination.next);
    await order(page, say.common.product.unnamed, say.common.product.unnamed, 'Radio');
    expect(await page.locator('.waiting__place').last().innerText()).toContain('23');
    await press(page, words.rebuild);
    await hears(page, filled(words.rebuilt_other, { count: 23 }));
    expect((await queueRows(market)).map((row) => row.position)).toEqual(
      Array.from({ length: 23 }, (_, n) => (n + 1) * 1024),
    );
    const letGo = await refuse(page, '**/api/admin/jobs/process-queue', 'The server is tired', 500);
    await press(page, words.runNow);
    await hears(page, filled(words.actionFailed, { reason: 'The server is tired' }));
    await letGo();
    await press(page, words.runNow);
    await hears(page, filled(words.runDone_other, { count: 23, available: 31 }));
    await page.getByText(words.empty).waitFor();
    expect(page.errors).toEqual([]);
  });
});
