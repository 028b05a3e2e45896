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
    await expectAccessible(page, language);
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
    await expectAccessible(page, language);
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
