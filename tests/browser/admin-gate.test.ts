import { describe, expect, test } from 'vitest';
import { dictionaries, translator } from '../../locales/index.ts';
import { signInAdmin, signUpSeller } from '../support/actors.ts';
import { expectAccessible } from '../support/axe.ts';
import { openMarket } from '../support/market.ts';
import { hold } from '../support/requests.ts';
import { visitAs } from '../support/visits.ts';
import { button, expectNoSidewaysScroll } from './people.ts';

const market = await openMarket();
const me = /\/api\/auth\/me/;

describe('the gate of the admin’s pages', () => {
  const language = 'en';
  const { admin: words, errors, common } = dictionaries[language];
  const because = (message: string) =>
    translator(language, 'admin')('gate.verificationFailed', { message });
  const open = async () => {
    const page = await visitAs(market, await signInAdmin(market, { language }), { language });
    const verifying = page.getByText(words.gate.verifying);
    const cover = page.locator('[data-recheck]');
    /** Fires the event of a page that becomes visible again. */
    const comeBack = () =>
      page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    return { page, verifying, cover, comeBack };
  };

  test('says that it verifies for as long as it does: over a page that opens, in a corner of one that is open', async () => {
    const { page, verifying, cover, comeBack } = await open();
    const letFirst = await hold(page, me);
    await page.goto(`/${language}/admin/queue`);
    await verifying.waitFor();
    expect(await cover.boundingBox()).toMatchObject({ x: 0, y: 0, width: 360, height: 740 });
    await expectAccessible(page);
    await letFirst();
    await verifying.waitFor({ state: 'hidden' });

    const letSecond = await hold(page, me);
    await comeBack();
    await verifying.waitFor();
    expect((await cover.boundingBox())?.height).toBeLessThan(100);
    await expectNoSidewaysScroll(page);
    await letSecond();
    await verifying.waitFor({ state: 'hidden' });
    expect(page.errors).toEqual([]);
  });

  test('says why it could not verify, also that the database is away, and not any more while it tries again', async () => {
    const { page, verifying, comeBack } = await open();
    await page.goto(`/${language}/admin/queue`);
    await verifying.waitFor({ state: 'hidden' });
    const failed = page.getByText(words.gate.failed);
    const failWith = (status: number, code: string, message: string) =>
      page.route(me, (route) =>
        route.fulfill({ status, json: { error: { code, message, requestId: 'x' } } }),
      );
    await failWith(500, 'unexpected', 'the reason');
    await comeBack();
    await failed.waitFor();
    await page.getByText(because('the reason')).waitFor();
    await page.unroute(me);
    await failWith(503, 'unavailable', 'something else');
    await button(page, common.actions.retry).click();
    await page.getByText(because(errors.health.databaseConnectionFailed)).waitFor();
    await expectAccessible(page);
    await page.unroute(me);

    const letAgain = await hold(page, me);
    await comeBack();
    await verifying.waitFor();
    expect(await failed.isVisible()).toBe(false);
    await letAgain();
    await verifying.waitFor({ state: 'hidden' });
    expect(await failed.isVisible()).toBe(false);
  });

  test('hears of a sign-in beside it, and looks who is there now', async () => {
    const { page, verifying } = await open();
    await page.goto(`/${language}/admin/queue`);
    await verifying.waitFor({ state: 'hidden' });
    const seller = await signUpSeller(market, { language });
    await page.request.post('/api/auth/sign-in', {
      data: { email: seller.email, password: seller.password },
    });
    const beside = await page.context().newPage();
    await beside.goto(`/${language}/seller/dashboard`);
    await page.getByRole('heading', { name: words.gate.deniedTitle }).waitFor();
  });
});

test('a list says that it loads, why it cannot be read, and with Retry what it holds', async () => {
  const { en: say } = dictionaries;
  await market.reset({ accounts: true });
  const admin = await signInAdmin(market);
  const lists: [address: string, read: string, loading: string, failed: string, shows: string][] = [
    [
      'products/pending',
      'products/pending*',
      say.admin.pending.loading,
      say.admin.pending.loadFailed,
      `text=${say.admin.pending.empty}`,
    ],
    [
      'users',
      'sellers?*',
      say.admin.users.loading,
      say.admin.users.loadFailed,
      `text=${say.admin.users.empty}`,
    ],
    [
      'users?tab=barred',
      'sellers/barred*',
      say.admin.users.barred.loading,
      say.admin.users.barred.loadFailed,
      `text=${say.admin.users.barred.empty}`,
    ],
    [
      'reports',
      'reports?*',
      say.admin.reports.loading,
      say.admin.reports.loadFailed,
      `text=${say.admin.reports.empty}`,
    ],
    [
      'reports?tab=closed',
      'reports/closed*',
      say.admin.reports.loading,
      say.admin.reports.loadFailed,
      `text=${say.admin.reports.closedEmpty}`,
    ],
    ['audit', 'audit*', say.admin.audit.loading, say.admin.audit.loadFailed, '.audit__entry'],
    [
      'settings',
      'settings',
      say.admin.settings.loading,
      say.admin.settings.loadFailed,
      `text=${say.admin.settings.operator.title}`,
    ],
    [
      'settings?tab=fees',
      'fees?*',
      say.admin.fees.loading,
      say.admin.fees.loadFailed,
      `text=${say.admin.fees.empty.due}`,
    ],
  ];
  const page = await visitAs(market, admin, { language: 'en' });
  for (const [address, read, loading, failed, shows] of lists) {
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(`**/api/admin/${read}`, async (route) => {
      await held;
      await route.fulfill({
        status: 429,
        json: { error: { code: 'tooMany', message: 'Not now' } },
      });
    });
    await page.goto(`/en/admin/${address}`);
    await page.getByText(loading).first().waitFor({ state: 'attached' });
    answer();
    await page.getByText(failed).first().waitFor();
    await page.getByText('Not now').first().waitFor();
    await page.unroute(`**/api/admin/${read}`);
    await button(page, say.common.actions.retry).click();
    await page.locator(shows).first().waitFor();
  }
  // One that is asked for behind its last page leads there.
  await page.goto('/en/admin/users?page=9999');
  await page.waitForURL('**/admin/users');
  await page.getByText(say.admin.users.empty).waitFor();
  expect(page.errors).toEqual([]);
});
