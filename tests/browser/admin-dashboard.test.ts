import { eq } from 'drizzle-orm';
import type { Page } from 'playwright';
import { beforeEach, describe, expect, test } from 'vitest';
import { noteChannel } from '../../api/chats/channels.ts';
import { schema } from '../../db/client.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { dateTime } from '../../site/src/lib/format.ts';
import { actors } from '../support/actors.ts';
import { expectAccessible } from '../support/axe.ts';
import { sturdy } from '../support/database.ts';
import { openMarket, type Visit } from '../support/market.ts';
import { approved, live, productRow, submitted } from '../support/products.ts';
import { filled, hold, refuse } from '../support/requests.ts';
import { visitAs } from '../support/visits.ts';

const market = await openMarket();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const asAdmin = (visit: Visit) => visitAs(market, admin, visit);
const fitsThePhone = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
const change = (id: string, columns: Partial<typeof schema.products.$inferInsert>) =>
  sturdy(() => market.db.update(schema.products).set(columns).where(eq(schema.products.id, id)));

describe('the admin’s dashboard', () => {
  const language = 'en';
  const say = dictionaries[language];
  const t = translator(language, 'admin');
  const e = translator(language, 'errors');
  const at = (path: string) => `/${language}${path}`;
  const figure = (page: Page, label: string) =>
    page.locator('.overview__figure', { hasText: label }).locator('.figure__value');

  test('Overview: loads, counts, follows the market, and wears the badges of real checks', async () => {
    const page = await asAdmin({ language });
    const release = await hold(page, '**/api/admin/dashboard');
    await page.goto(at('/admin/dashboard'));
    await page
      .getByRole('status')
      .getByText(say.common.states.loading)
      .waitFor({ state: 'attached' });
    await release();
    await page.getByText(say.admin.dashboard.recentEmpty).waitFor();
    expect(await page.getByText(say.admin.dashboard.notChecked).count()).toBe(4);
    expect(await figure(page, say.admin.dashboard.totalSlots).textContent()).toBe('54');
    const { missing } = say.admin.dashboard;
    await page.getByText(missing.title).waitFor();
    const names = page.getByRole('listitem').filter({ hasText: missing.lines.names });
    await names.getByRole('link', { name: missing.how }).click();
    await page.waitForURL('**/admin/runbook#before-people-come');
    await page.getByRole('heading', { name: 'Before people come' }).waitFor();
    await page.goBack();
    await page.getByText(missing.title).waitFor();
    expect(await figure(page, say.admin.dashboard.featuredProducts).textContent()).toBe('0/10');

    await live(market, seller, admin, {
      listingType: 'featured',
      name: { en: 'Talking drum', fr: 'Tambour parlant' },
    });
    await approved(market, seller, admin);
    await submitted(market, seller);
    await page.getByText('Talking drum').waitFor();
    await page.getByText(t('dashboard.recentItem', { slot: '01' })).waitFor();
    await expect
      .poll(() => figure(page, say.admin.dashboard.featuredProducts).textContent())
      .toBe('1/10');
    await expect
      .poll(() => figure(page, say.admin.dashboard.activeProducts).textContent())
      .toBe('1');
    await expect.poll(() => figure(page, say.admin.dashboard.queueSize).textContent()).toBe('1');
    await expect
      .poll(() => figure(page, say.admin.dashboard.pendingReviews).textContent())
      .toBe('1');

    await market.runNow('check-health');
    await page.reload();
    await page.getByText(say.admin.health.healthyText.storage).waitFor();
    await page.getByText(say.admin.health.healthyText.realtime).waitFor();
    expect(await page.getByText(say.admin.health.status.healthy).count()).toBe(4);
    expect(await fitsThePhone(page)).toBe(true);
    await page.getByRole('main').getByRole('link', { name: say.admin.dashboard.upload }).waitFor();
    await page
      .getByRole('main')
      .getByRole('link', { name: say.admin.dashboard.manageSlots })
      .waitFor();
    // The whole menu, its groups and the way out are in view on a laptop.
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const group of Object.values(say.admin.menu.groups))
      await page.getByRole('group', { name: group }).waitFor();
    expect(
      await page.locator('.tool__side').evaluate((side) => side.scrollHeight - side.clientHeight),
    ).toBe(0);
    expect(page.errors).toEqual([]);
  });

  test('Overview: says why it could not be loaded, and Retry loads it', async () => {
    const page = await asAdmin({ language });
    const letGo = await refuse(page, '**/api/admin/dashboard', 'the reason');
    await page.goto(at('/admin/dashboard'));
    await page.getByText(filled(say.admin.dashboard.error, { message: 'the reason' })).waitFor();
    await letGo();
    await button(page, say.common.actions.retry).click();
    await page.getByText(say.admin.dashboard.recentEmpty).waitFor();
  });

  test('Data Integrity: rechecks, approves anyway after a confirmation, and survives a request that fails', async () => {
    const { id: mended } = await submitted(market, seller);
    await change(mended, { price: null });
    const { id: anyway } = await submitted(market, seller);
    await change(anyway, { name: { en: 'Old radio', fr: 'Vieux poste' }, category: null });
    const name = 'Old radio';
    const page = await asAdmin({ language });
    await page.goto(at('/admin/dashboard?tab=integrity'));
    await page
      .getByRole('tab', { name: say.admin.dashboard.tabs.integrity, selected: true })
      .waitFor();
    const row = (text: string) => page.getByRole('row').filter({ hasText: text });
    await row(anyway).getByText(say.admin.integrity.fields.category).waitFor();
    await row(mended).getByText(say.admin.integrity.fields.price).waitFor();
    expect(await fitsThePhone(page)).toBe(true);

    const recheck = row(mended).getByRole('button', { name: say.admin.integrity.recheck });
    // Every decision reloads the report. By keyboard: a toast may cover a button of the list.
    const readAgain = () =>
      page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/admin/integrity');
    await Promise.all([
      readAgain(),
      recheck.press('Enter'),
      page.getByText(say.admin.integrity.stillIncomplete).first().waitFor(),
    ]);
    const letRecheck = await refuse(page, `**/api/admin/integrity/${mended}/recheck`, 'the reason');
    await Promise.all([
      readAgain(),
      recheck.press('Enter'),
      page.getByText(say.admin.integrity.recheckFailed).first().waitFor(),
    ]);
    await letRecheck();
    await change(mended, { price: 5000 });
    await recheck.press('Enter');
    await page.getByText(say.admin.integrity.rechecked).first().waitFor();
    expect((await productRow(market, mended)).status).toBe('approved');
    await row(mended).waitFor({ state: 'detached' });

    await row(anyway)
      .getByRole('button', { name: say.admin.integrity.approveAnyway })
      .press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(t('integrity.confirmTitle', { name })).waitFor();
    await dialog
      .getByText(t('integrity.confirmText', { fields: say.admin.integrity.fields.category }))
      .waitFor();
    const letApprove = await refuse(page, `**/api/admin/integrity/${anyway}/approve`, 'the reason');
    await dialog.getByRole('button', { name: say.admin.integrity.approveAnyway }).click();
    await dialog.getByText(say.admin.integrity.approveFailed).waitFor();
    await dialog.getByText('the reason').waitFor();
    await letApprove();
    await dialog.getByRole('button', { name: say.admin.integrity.approveAnyway }).click();
    await page.getByText(say.admin.integrity.approved).first().waitFor();
    expect((await productRow(market, anyway)).status).toBe('approved');
    // Still incomplete, so it stays in the report, without an offer to approve it twice.
    await row(anyway).getByText(say.common.status.approved).waitFor();
    expect(
      await row(anyway).getByRole('button', { name: say.admin.integrity.approveAnyway }).count(),
    ).toBe(0);
    await change(anyway, { category: 'other' });
    await button(page, say.common.actions.refresh).press('Enter');
    await page.getByText(say.admin.integrity.empty).waitFor();
    expect(page.errors).toEqual([]);
  });

  test('System Health: runs the checks, tells each with its message, and follows while it is looked at', async () => {
    const page = await asAdmin({ language });
    await page.clock.install();
    await page.goto(at('/admin/dashboard'));
    await page.getByRole('tab', { name: say.admin.dashboard.tabs.health }).click();
    expect(new URL(page.url()).searchParams.get('tab')).toBe('health');
    await page.getByText(say.admin.health.never).waitFor();
    const letCheck = await refuse(page, '**/api/admin/health', 'the reason');
    await button(page, say.admin.health.checkNow).click();
    await page.getByText(say.admin.health.checkNowFailed).first().waitFor();
    await letCheck();
    await button(page, say.admin.health.checkNow).click();
    const check = (name: string) => page.locator(`[data-check=${name}]`);
    await check('authentication')
      .getByText(t('health.healthyText.authentication', { name: admin.name }))
      .waitFor();
    await check('integrity').getByText(say.admin.health.healthyText.integrity).waitFor();
    expect(await page.locator('[data-check]').count()).toBe(13);
    expect(await page.locator('.hours__hour').count()).toBe(24);
    await page.locator('.hours__hour--warning').waitFor();

    // The job finds an unreachable storage and two orphaned slots; the open tab updates by itself.
    const { probe } = market.services.storage;
    market.services.storage.probe = async () => {
      throw new Error('the disk is gone');
    };
    const first = await live(market, seller, admin);
    const second = await live(market, seller, admin);
    for (const { id } of [first, second])
      await sturdy(() =>
        market.sql.begin((tx) =>
          tx.unsafe(
            `set local session_replication_role = replica; update products set status = 'pending', approved_at = null where id = '${id}'`,
          ),
        ),
      );
    await market.runNow('check-health');
    market.services.storage.probe = probe;
    await page.clock.fastForward(31_000);
    await check('storage').getByText(say.errors.health.storageUnavailable).waitFor();
    await check('integrity')
      .getByText(e('health.orphanedSlots', { count: 2 }))
      .waitFor();
    await page.locator('.health__overall').getByText(say.admin.health.status.error).waitFor();
    expect(await fitsThePhone(page)).toBe(true);
    await expectAccessible(page);

    // A hidden tab does not poll; once visible it polls at once.
    const hide = (hidden: boolean) =>
      page.evaluate((gone) => {
        Object.defineProperty(document, 'visibilityState', {
          configurable: true,
          get: () => (gone ? 'hidden' : 'visible'),
        });
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => gone });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      }, hidden);
    let asked = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/admin/health') asked++;
    });
    await hide(true);
    await page.clock.fastForward(120_000);
    await page.clock.fastForward(120_000);
    expect(asked).toBe(0);
    await market.runNow('check-health');
    await hide(false);
    await check('storage').getByText(say.admin.health.healthyText.storage).waitFor();
    expect(asked).toBeGreaterThan(0);
    expect(page.errors).toEqual([]);
  });

  test('System Health: says that it could not be loaded, when the timetable stands still, and how the networks of the chat are', async () => {
    const failedAt = market.clock.now();
    await noteChannel(market.job('bot'), {
      transport: 'telegram',
      client: 'polling',
      state: 'failing',
      failedAt,
      failure: 'Unauthorized',
    });
    await noteChannel(market.job('bot'), {
      transport: 'whatsapp',
      client: 'web',
      state: 'pairing',
      pairing: 'ABCD2345',
    });
    const page = await asAdmin({ language });
    const letGo = await refuse(page, '**/api/admin/health', 'the reason');
    await page.goto(at('/admin/dashboard?tab=health'));
    await page.getByText(say.admin.health.loadFailed).waitFor();
    await page.getByText('the reason').waitFor();
    await letGo();
    await market.runNow('check-health');
    market.clock.advance({ minutes: 16 });
    await button(page, say.common.actions.retry).click();
    await page.getByText(say.admin.health.stale).waitFor();
    // Their last reports are stale.
    const { networks } = say.admin.health;
    const network = (name: string) => page.locator(`[data-network=${name}]`);
    for (const name of ['telegram', 'whatsapp'])
      await network(name).getByText(networks.state.silent, { exact: true }).waitFor();
    expect(await network('whatsapp').locator('code').count()).toBe(0);

    await noteChannel(market.job('bot'), {
      transport: 'telegram',
      client: 'polling',
      state: 'failing',
    });
    await noteChannel(market.job('bot'), {
      transport: 'whatsapp',
      client: 'web',
      state: 'pairing',
      pairing: 'ABCD2345',
    });
    await page.reload();
    await network('telegram').getByText(networks.state.failing, { exact: true }).waitFor();
    const failed = filled(networks.failed, {
      date: dateTime(failedAt.toISOString(), language, 'exact'),
      failure: 'Unauthorized',
    });
    await network('telegram').getByText(failed).waitFor();
    await network('whatsapp').getByText(networks.state.pairing, { exact: true }).waitFor();
    await network('whatsapp').getByText('ABCD-2345').waitFor();
    // The QR code is drawn.
    await noteChannel(market.job('bot'), {
      transport: 'whatsapp',
      client: 'web',
      state: 'pairing',
      pairing: '2@long words that a phone scans',
    });
    await page.reload();
    await network('whatsapp').getByRole('img', { name: networks.picture }).waitFor();
    expect(await fitsThePhone(page)).toBe(true);
    await expectAccessible(page);
  });
});
