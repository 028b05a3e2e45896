import { eq } from 'drizzle-orm';
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { schema } from '../../db/client.ts';
import { dictionaries } from '../../locales/index.ts';
import { type Language, languages } from '../../locales/languages.ts';
import { signInAdmin, signUpMember, signUpSeller, suspend } from '../support/actors.ts';
import { linkIn, openMarket } from '../support/market.ts';

const market = await openMarket();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Carries a person's cookies into a browser profile. */
async function visitAs(person: { jar: { header(): string } }, language: Language): Promise<Page & { errors: string[] }> {
  const page = await market.visit({ language });
  const cookies = person.jar
    .header()
    .split('; ')
    .map((pair) => ({ name: pair.slice(0, pair.indexOf('=')), value: pair.slice(pair.indexOf('=') + 1), url: market.url }));
  await page.context().addCookies(cookies);
  return page;
}

describe.each([...languages])('accounts, in %s', (language) => {
  const say = dictionaries[language];
  const at = (path: string) => `/${language}${path}`;

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

  test('a visitor is sent to sign in, and a member without a profile completes it', async () => {
    const stranger = await market.visit({ language });
    await stranger.goto(at('/seller/dashboard'));
    await stranger.waitForURL('**/seller/auth*');
    const member = await signUpMember(market, { language });
    const page = await visitAs(member, language);
    await page.goto(at('/seller/dashboard'));
    await page.getByText(say.seller.profile.title).first().waitFor();
    // The name of the account is offered; it may be changed, not left out.
    await expect.poll(() => page.locator('input[name=name]').inputValue()).toBe(member.name);
    await page.locator('input[name=name]').fill('');
    await button(page, say.seller.profile.save).click();
    await page.getByText(say.validation.required).first().waitFor();
    await page.locator('input[name=name]').fill('Atangana Mvondo');
    await button(page, say.seller.profile.save).click();
    await page.getByText(say.seller.dashboard.totalProducts).waitFor();
    const [seller] = await market.db.select().from(schema.sellers).where(eq(schema.sellers.userId, member.userId));
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

  test('admin pages are closed to everyone else', async () => {
    const seller = await visitAs(await signUpSeller(market, { language }), language);
    const answer = await seller.goto(at('/admin/products/pending'));
    expect(answer?.status()).toBe(403);
    await seller.getByText(say.admin.gate.deniedTitle).first().waitFor();
    const page = await market.visit({ language });
    await page.goto(at('/admin/products/pending'));
    await page.waitForURL('**/admin/auth*');
    const person = await signUpSeller(market, { language });
    await page.locator('input[type=email]').fill(person.email);
    await page.locator('input[type=password]').fill(person.password);
    await button(page, say.admin.auth.submit).click();
    await page.getByText(say.errors.auth.notAdmin).first().waitFor();
    await page.getByText(say.admin.auth.toSignUp).click();
    await page.getByText(say.errors.auth.adminRegistrationRestricted).first().waitFor();
    const admin = await visitAs(await signInAdmin(market, { language }), language);
    await admin.goto(at('/admin/auth'));
    await admin.waitForURL('**/admin/dashboard*');
    await admin.getByText(say.admin.dashboard.recentEmpty).waitFor();
    await admin.goto(at('/admin'));
    await admin.waitForURL('**/admin/dashboard*');
    await admin.goto(at('/admin/products/pending'));
    await admin.getByText(say.admin.pending.empty).waitFor();
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
