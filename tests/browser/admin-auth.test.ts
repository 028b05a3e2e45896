import { Secret, TOTP } from 'otpauth';
import { beforeEach, describe, expect, test } from 'vitest';
import { dictionaries } from '../../locales/index.ts';
import { signInAdmin } from '../support/actors.ts';
import { expectAccessible } from '../support/axe.ts';
import { openMarket } from '../support/market.ts';
import { visitAs } from '../support/visits.ts';
import { button, expectNoSidewaysScroll, patient } from './people.ts';

const market = await openMarket();
beforeEach(() => market.reset());

describe('the second factor', () => {
  const language = 'en';
  const { admin: words, errors, validation } = dictionaries[language];
  const say = words.settings.factor;

  test('is turned on, asked for at the next sign-in, and turned off', async () => {
    const admin = await signInAdmin(market, { language });
    const page = await visitAs(market, admin, { language });
    await page.goto(`/${language}/admin/settings?tab=factor`);
    await page.getByText(say.off, { exact: true }).waitFor();
    await button(page, say.turnOn).click();
    const dialog = page.getByRole('dialog');
    const password = dialog.getByLabel(say.password);
    await password.press('Enter');
    await dialog.getByText(validation.required).waitFor();
    await password.fill('another password');
    await password.press('Enter');
    await dialog.getByText(errors.auth.passwordWrong).waitFor();
    await password.fill(admin.password);
    await password.press('Enter');
    await dialog.getByRole('img', { name: say.picture }).waitFor();
    const secret = ((await dialog.locator('.factor__secret').textContent()) ?? '').replaceAll(
      ' ',
      '',
    );
    const code = () =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({
        timestamp: market.clock.now().getTime(),
      });
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    const codeField = dialog.getByLabel(say.code);
    await codeField.fill('000000');
    await codeField.press('Enter');
    await dialog.getByText(errors.auth.codeWrong).waitFor();
    await codeField.fill(code());
    await codeField.press('Enter');
    await page.getByText(say.codesText).waitFor();
    await page.getByText(say.on, { exact: true }).waitFor();
    const backup = await page.locator('.factor__codes code').allTextContents();
    expect(backup).toHaveLength(10);
    await expectNoSidewaysScroll(page);
    await button(page, say.kept).click();
    await expect.poll(() => page.getByText(say.codesText).count(), patient).toBe(0);

    const other = await market.visit({ language });
    await other.goto(`/${language}/admin/auth`);
    await other.locator('input[type=email]').fill(admin.email);
    await other.locator('input[type=password]').fill(admin.password);
    await button(other, words.auth.submit).click();
    await other.getByText(words.auth.codeText).waitFor();
    await expectAccessible(other);
    await expectNoSidewaysScroll(other);
    const asked = other.getByLabel(words.auth.code);
    await asked.fill(code());
    await asked.press('Enter');
    await other.getByText(errors.auth.codeUsed).waitFor();
    await asked.fill(backup[0] ?? '');
    await asked.press('Enter');
    await other.waitForURL('**/admin/dashboard*');

    await button(page, say.turnOff).click();
    await dialog.getByLabel(say.password).fill(admin.password);
    market.clock.advance({ seconds: 30 });
    const last = dialog.getByLabel(say.code);
    await last.fill(code());
    await page.context().setOffline(true);
    await last.press('Enter');
    await dialog.getByText(dictionaries[language].common.states.retry).waitFor();
    await page.context().setOffline(false);
    await last.press('Enter');
    await page.getByText(say.off, { exact: true }).waitFor();
    expect(page.errors).toEqual([]);
  });
});
