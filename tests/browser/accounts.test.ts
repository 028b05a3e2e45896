import { eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { schema } from '../../db/client.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import {
  signInAdmin,
  signUpByMail,
  signUpMember,
  signUpSeller,
  suspend,
} from '../support/actors.ts';
import { fillCounters } from '../support/counters.ts';
import { linkIn, openMarket } from '../support/market.ts';

const market = await openMarket();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Copies a person's cookies into a browser context. */
async function visitAs(
  person: { jar: { header(): string } },
  language: Language,
): Promise<Page & { errors: string[] }> {
  const page = await market.visit({ language });
  const cookies = person.jar
    .header()
    .split('; ')
    .map((pair) => ({
      name: pair.slice(0, pair.indexOf('=')),
      value: pair.slice(pair.indexOf('=') + 1),
      url: market.url,
    }));
  await page.context().addCookies(cookies);
  return page;
}

describe('accounts', () => {
  const language = 'en';
  const say = dictionaries[language];
  const at = (path: string) => `/${language}${path}`;

  test('a browser that blocks cookies is told why nobody can sign in', async () => {
    const page = await market.visit({ language });
    await page.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false }),
    );
    await page.goto(at('/sign-in'));
    await page.getByText(say.seller.auth.noCookies).waitFor();
    const plain = await market.visit({ language, javaScriptEnabled: false });
    await plain.goto(at('/sign-in?signed=1&next=/connect'));
    expect(await plain.locator('noscript [role=alert]').innerText()).toContain(
      say.seller.auth.noCookies,
    );
  });

  test('a forgotten password is reset by a mailed link, which works once', async () => {
    const person = await signUpSeller(market, { language });
    const page = await market.visit({ language });
    await page.goto(at('/forgot-password'));
    await page.locator('input[name=email]').fill('no address');
    await button(page, say.seller.forgot.submit).click();
    await page.getByText(say.validation.email).waitFor();
    await page.locator('input[name=email]').fill(person.email);
    await button(page, say.seller.forgot.submit).click();
    await page.getByText(say.seller.forgot.sentTitle).waitFor();
    const letter = await market.letterTo(person.email);
    expect(letter.subject).toBe(say.mail.resetPassword.subject);
    await page.goto(linkIn(letter));
    await page.locator('input[name=password]').fill('another password');
    await page.locator('input[name=repeat]').fill('a different one');
    await button(page, say.seller.reset.submit).click();
    await page.getByText(say.validation.passwordsDiffer).waitFor();
    await page.locator('input[name=repeat]').fill('another password');
    await button(page, say.seller.reset.submit).click();
    await page.getByText(say.seller.reset.doneTitle).waitFor();

    await page.goto(linkIn(letter));
    await page.locator('input[name=password]').fill('a third password');
    await page.locator('input[name=repeat]').fill('a third password');
    await button(page, say.seller.reset.submit).click();
    await page.getByText(say.seller.reset.expiredTitle).waitFor();

    await page.goto(at('/seller/auth'));
    await page.locator('input[name=email]').fill(person.email);
    await page.locator('input[name=password]').fill(person.password);
    await button(page, say.seller.auth.signIn).click();
    await page.getByText(say.seller.auth.failed).waitFor();
    await page.getByText(say.errors.auth.invalidCredentials).waitFor();
    expect(await page.locator('input[name=email]').inputValue()).toBe(person.email);
    await page.locator('input[name=password]').fill('another password');
    await button(page, say.seller.auth.signIn).click();
    await page.waitForURL('**/seller/dashboard*');
    await page.getByText(say.seller.auth.welcomeBack).first().waitFor();
    expect(page.errors).toEqual([]);
  });

  test('an address that has an account signs in where its password is typed to sign up, and else learns nothing', async () => {
    const person = await signUpSeller(market, { language });
    const page = await market.visit({ language });
    const signUp = async (password: string) => {
      await page.goto(at('/seller/auth?mode=sign-up'));
      await page.locator('input[name=name]').fill('Twice');
      await page.locator('input[name=email]').fill(person.email);
      await page.locator('input[name=password]').fill(password);
      await page.locator('input[name=agreed]').check();
      await button(page, say.seller.auth.signUp).click();
    };
    await signUp('not the password');
    await page.getByRole('heading', { name: say.seller.auth.createdTitle }).waitFor();
    expect((await market.letterTo(person.email)).subject).toBe(say.mail.accountExists.subject);
    await signUp(person.password);
    await page.waitForURL('**/seller/dashboard*');
    await page.getByText(say.seller.auth.welcomeBack).first().waitFor();
    expect(await page.getByText(say.seller.auth.createdToast).count()).toBe(0);
    await page
      .getByText(translator(language, 'seller')('dashboard.hello', { name: person.name }))
      .waitFor();
    expect(page.errors).toEqual([]);
  });

  test('a used, forged or missing verification link shows its state, and a new one can be sent', async () => {
    const page = await market.visit({ language });
    await page.goto(at('/email-verification'));
    await page.getByText(say.seller.verification.pending.title).waitFor();
    await page.goto(at('/email-verification?error=access_denied'));
    await page.getByText(say.seller.verification.expired.title).waitFor();
    await page.goto(at('/email-verification?token=forged'));
    await page.getByText(say.seller.verification.expired.title).waitFor();
    await page.getByText(say.errors.auth.linkInvalid).waitFor();
    await page.locator('input[name=email]').fill(`nobody.${language}@example.test`);
    await page.context().setOffline(true);
    await button(page, say.seller.verification.resend).click();
    await page.getByText(say.seller.verification.resendFailed).first().waitFor();
    await page.context().setOffline(false);
    await button(page, say.seller.verification.resend).click();
    await page.getByText(say.seller.verification.sent).first().waitFor();
    await page.getByRole('link', { name: say.seller.verification.back }).click();
    await page.waitForURL('**/seller/auth*');
  });

  test('a verification link that was used says so, by its title too, and leads to the sign-in', async () => {
    const { email } = await signUpByMail(market, { language });
    const page = await market.visit({ language });
    await page.goto(linkIn(await market.letterTo(email)));
    const { used, expired } = say.seller.verification;
    await page.getByRole('heading', { name: used.title, exact: true }).waitFor();
    expect(await page.title()).toBe(
      translator(language, 'common')('brand.title', { page: used.title }),
    );
    await page.getByText(used.text).waitFor();
    expect(await page.getByText(expired.title).count()).toBe(0);
    await page.getByRole('link', { name: say.seller.auth.signIn, exact: true }).click();
    await page.waitForURL('**/seller/auth');
    expect(page.errors).toEqual([]);
  });

  test('too many wrong passwords leave a way in by mail, for a seller and for an admin with a second factor', async () => {
    const words = say.seller.signInLink;
    const seller = await signUpSeller(market, { language });
    const page = await market.visit({ language });
    const tooMany = async (on: Page, email: string, submit: string) => {
      await on.locator('input[type=email]').fill(email);
      await on.locator('input[type=password]').fill('not the password');
      await button(on, submit).click();
      await on.getByRole('alert').first().getByText(/./).first().waitFor();
      // Fills the counters directly, since ten tries by hand are slow.
      await fillCounters(market, 'sign-in:account:%', 120);
      await button(on, submit).click();
      await button(on, words.send).click();
      await on.getByText(words.sent.replace('{{email}}', email)).waitFor();
      return linkIn(await market.letterTo(email));
    };
    await page.goto(at('/seller/auth'));
    const link = await tooMany(page, seller.email, say.seller.auth.signIn);
    await page.goto(link);
    await button(page, words.submit).click();
    await page.waitForURL('**/seller/dashboard*');
    await page.getByText(say.seller.dashboard.totalProducts).waitFor();
    await page.goto(link);
    await button(page, words.submit).click();
    await page.getByRole('heading', { name: words.overTitle }).waitFor();
    await page.getByText(say.errors.auth.linkUsed).waitFor();

    const admin = await signInAdmin(market, { language });
    const door = (path: string, json: object) =>
      market.call<{ secret: string }>(`/api/admin/second-factor${path}`, { json, as: admin });
    const { secret } = (await door('/begin', { password: admin.password })).body;
    const code = () =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({
        timestamp: market.clock.now().getTime(),
      });
    await door('/confirm', { code: code() });
    market.clock.advance({ seconds: 30 });
    const adminPage = await market.visit({ language });
    await adminPage.goto(at('/admin/auth'));
    await adminPage.goto(await tooMany(adminPage, admin.email, say.admin.auth.submit));
    await button(adminPage, words.submit).click();
    await adminPage.getByText(words.codeText).waitFor();
    await adminPage.locator('input[name=code]').fill('000000');
    await button(adminPage, words.submit).click();
    await adminPage.getByText(say.errors.auth.codeWrong).waitFor();
    await adminPage.locator('input[name=code]').fill(code());
    await button(adminPage, words.submit).click();
    await adminPage.waitForURL('**/admin/dashboard*');
    expect([page.errors, adminPage.errors]).toEqual([[], []]);
  });

  test('a visitor is sent to sign in, and a member without a profile completes it', async () => {
    const stranger = await market.visit({ language });
    await stranger.goto(at('/seller/dashboard'));
    await stranger.waitForURL('**/seller/auth*');
    const member = await signUpMember(market, { language });
    const page = await visitAs(member, language);
    await page.goto(at('/seller/dashboard'));
    await page.getByText(say.seller.profile.startTitle).first().waitFor();
    // The account's name is prefilled; it may be changed, but is required.
    await expect.poll(() => page.locator('input[name=name]').inputValue()).toBe(member.name);
    await page.locator('input[name=name]').fill('');
    await button(page, say.seller.profile.save).click();
    await page.getByText(say.validation.required).first().waitFor();
    await page.locator('input[name=name]').fill('Atangana Mvondo');
    await button(page, say.seller.profile.save).click();
    await page.getByText(say.seller.dashboard.totalProducts).waitFor();
    const [seller] = await market.db
      .select()
      .from(schema.sellers)
      .where(eq(schema.sellers.userId, member.userId));
    expect(seller?.name).toBe('Atangana Mvondo');
  });

  test('a suspended seller sees only that, and can sign out', async () => {
    const person = await signUpSeller(market, { language });
    await suspend(market, person);
    const page = await visitAs(person, language);
    for (const path of ['/seller/dashboard', '/seller/upload']) {
      await page.goto(at(path));
      await page.getByText(say.seller.suspended.title).first().waitFor();
    }
    await button(page, say.seller.suspended.signOut).first().click();
    await page.goto(at('/seller/dashboard'));
    await page.waitForURL('**/seller/auth*');
  });
});

describe('the language of a page', () => {
  test('is the browser’s until another one is chosen, and the address’s above all', async () => {
    const page = await market.visit({ language: 'fr' });
    const shown = () => page.locator('html').getAttribute('lang');
    await page.goto('/');
    expect(await shown()).toBe('fr');
    await page.goto('/en');
    expect(await shown()).toBe('en');
    await page.request.post('/preferences', { form: { language: 'en', returnTo: '/' } });
    await page.goto('/');
    expect(await shown()).toBe('en');
    await page.goto('/fr');
    expect(await shown()).toBe('fr');
  });
});
