import { eq } from 'drizzle-orm';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../db/client.ts';
import { dictionaries } from '../../locales/index.ts';
import { signInAdmin, signUpMember, signUpSeller } from '../support/actors.ts';
import { fillCounters } from '../support/counters.ts';
import { desktop, linkIn, openMarket } from '../support/market.ts';
import { live } from '../support/products.ts';
import { visitAs } from '../support/visits.ts';
import { button, expectNoSidewaysScroll } from './people.ts';

/**
 * An account without a seller profile: sign up from a page, verify the address, return to it, and
 * sell later (decision 006).
 */
const market = await openMarket();
const password = 'a good password';
let slot = 0;

beforeAll(async () => {
  ({ slotId: slot } = await live(market, await signUpSeller(market), await signInAdmin(market)));
});

const fill = async (page: Page, values: Record<string, string>) => {
  for (const [name, value] of Object.entries(values))
    await page.locator(`input[name=${name}]`).fill(value);
};
/** The path of a page, with its query. */
const pathOf = (page: Page) => page.url().replace(market.url, '');

describe('a member', () => {
  const language = 'en';
  const say = dictionaries[language];
  const { onward } = say.members;
  const at = (path: string) => `/${language}${path}`;
  const product = () => at(`/shop/slot/${slot}`);
  const door = () => at(`/sign-in?next=${encodeURIComponent(product())}`);
  const arrives = async (page: Page) => {
    await page.waitForURL(market.url + product());
    await page.locator('[data-action=contact]').first().waitFor();
  };
  const join = (email: string, next = product()) =>
    market.call('/api/auth/sign-up', {
      json: { email, password, name: 'Ewane', selling: false, agreed: '0', next },
      language,
      address: email,
    });

  test('comes from a product, joins with a password, opens the mail and is back on it; then sells with the same account', async () => {
    const email = `joins.${language}@example.test`;
    const page = await market.visit({ language });
    await page.goto(product());
    await page.goto(door());
    await page.getByText(say.members.auth.required).waitFor();
    await page.getByRole('link', { name: say.members.auth.signUpTitle, exact: true }).click();
    await page.getByRole('heading', { name: say.members.auth.signUpTitle, exact: true }).waitFor();
    await expectNoSidewaysScroll(page);
    expect(await page.locator('input[name=whatsapp], input[name=location]').count()).toBe(0);
    expect(await page.locator('main').innerText()).not.toMatch(/seller account|compte vendeur/i);
    await fill(page, { name: 'Ewane', email, password: 'short' });
    await button(page, say.members.auth.signUp).click();
    await page.locator('[name=password][aria-invalid=true]').waitFor();
    await fill(page, { password });
    await page.locator('input[name=agreed]').check();
    await button(page, say.members.auth.signUp).click();
    await page.waitForURL('**/email-verification*');
    await page.getByText(say.seller.auth.createdToast).first().waitFor();
    expect(
      await page.getByRole('link', { name: say.seller.verification.back }).getAttribute('href'),
    ).toBe(door());
    const letter = await market.letterTo(email);
    expect(letter.subject).toBe(say.mail.verifyMember.subject);
    await page.goto(linkIn(letter));
    await page.getByText(onward.back.text).waitFor();
    expect(await page.getByRole('link', { name: onward.back.action }).getAttribute('href')).toBe(
      product(),
    );
    await arrives(page);

    // A signed-in visitor is redirected, by default to their own pages.
    await page.goto(door());
    expect(pathOf(page)).toBe(product());
    await page.goto(at('/email-verification'));
    expect(pathOf(page)).toBe(at('/account'));

    for (const path of ['/seller/products/upload', '/seller/dashboard']) {
      await page.goto(at(path));
      await page
        .getByRole('heading', { name: say.seller.profile.startTitle, exact: true })
        .waitFor();
    }
    await expect.poll(() => page.locator('input[name=name]').inputValue()).toBe('Ewane');
    await button(page, say.seller.profile.save).click();
    await page.getByText(say.seller.dashboard.totalProducts).waitFor();
    const accounts = await market.db
      .select({ seller: schema.sellers.name })
      .from(schema.user)
      .leftJoin(schema.sellers, eq(schema.sellers.userId, schema.user.id))
      .where(eq(schema.user.email, email));
    expect(accounts).toEqual([{ seller: 'Ewane' }]);
    expect(page.errors).toEqual([]);
  });

  test('opens the mail in another browser and arrives as well, by the password or a new one; a used link leads to the members’ sign-in', async () => {
    for (const anew of [false, true]) {
      const email = `elsewhere.${anew}.${language}@example.test`;
      await join(email);
      const link = linkIn(await market.letterTo(email));
      const page = await market.visit({ language, viewport: desktop });
      await page.goto(link);
      const { claim, used } = say.seller.verification;
      await page.getByRole('heading', { name: claim.title }).waitFor();
      if (anew) await button(page, claim.other).click();
      await fill(page, anew ? { newPassword: 'quite another one' } : { password });
      await button(page, anew ? claim.save : claim.confirm).click();
      await arrives(page);
      // This browser is signed in; a third one is not.
      await page.goto(link);
      await page.getByRole('heading', { name: used.title }).waitFor();
      expect(
        await page.getByRole('link', { name: onward.account.action }).getAttribute('href'),
      ).toBe(at('/account'));
      const third = await market.visit({ language });
      await third.goto(link);
      await third.getByRole('link', { name: say.seller.auth.signIn, exact: true }).click();
      await third.waitForURL(`**${at('/sign-in')}?next=*`);
      expect([page.errors, third.errors]).toEqual([[], []]);
    }
  });

  test('signs in and is back, by the password or a mailed link, which leads back in another browser too', async () => {
    const { email } = await signUpMember(market, { language });
    const page = await market.visit({ language });
    await page.goto(door());
    await fill(page, { email, password });
    await button(page, say.seller.auth.signIn).click();
    await arrives(page);

    const out = await market.visit({ language });
    await out.goto(door());
    await fill(out, { email, password: 'not the password' });
    await button(out, say.seller.auth.signIn).click();
    await out.getByText(say.errors.auth.invalidCredentials).waitFor();
    await fillCounters(market, 'sign-in:account:%', 120);
    await button(out, say.seller.auth.signIn).click();
    await button(out, say.seller.signInLink.send).click();
    await out.getByText(say.seller.signInLink.sent.replace('{{email}}', email)).waitFor();
    const link = linkIn(await market.letterTo(email));
    const other = await market.visit({ language });
    await other.goto(link);
    await button(other, say.seller.signInLink.submit).click();
    await arrives(other);
    await out.goto(link);
    await button(out, say.seller.signInLink.submit).click();
    await out.getByRole('link', { name: say.seller.signInLink.back }).click();
    await out.waitForURL(`**${at('/sign-in')}?next=*`);
    expect([page.errors, out.errors, other.errors]).toEqual([[], [], []]);
  });

  test('finds the other sign-in, the forgotten password and the other language without losing the way back', async () => {
    const page = await market.visit({ language });
    const hrefOf = (name: string) =>
      page.locator('main').getByRole('link', { name, exact: true }).getAttribute('href');
    const back = `next=${encodeURIComponent(product())}`;
    await page.goto(door());
    expect(await hrefOf(say.members.auth.signUpTitle)).toBe(at(`/sign-in?${back}&mode=sign-up`));
    expect(await hrefOf(say.members.auth.other)).toBe(at(`/seller/auth?${back}`));
    await page.getByRole('link', { name: say.seller.auth.forgot }).click();
    await page.waitForURL('**/forgot-password*');
    expect(await hrefOf(say.seller.forgot.back)).toBe(door());
    await page.goto(at(`/seller/auth?${back}&mode=sign-up`));
    expect(await hrefOf(say.seller.auth.other)).toBe(at(`/sign-in?${back}&mode=sign-up`));
    const other = 'fr';
    await page.goto(door());
    await page.locator('header .languages > summary').click();
    await page.locator(`header a[hreflang=${other}]`).click();
    await page.waitForURL(`**/${other}/sign-in?${back}`);
    // Mails use the language chosen last.
    const { email } = await signUpMember(market, { language });
    await fill(page, { email, password });
    await button(page, dictionaries[other].seller.auth.signIn).click();
    await page.waitForURL(`${market.url}/${other}/shop/slot/${slot}`);
    expect(page.errors).toEqual([]);
  });

  test('reads why the form to join does nothing where there is no JavaScript', async () => {
    const page = await market.visit({ language, javaScriptEnabled: false });
    await page.goto(`${door()}&mode=sign-up`);
    expect(await page.locator('.gate__noscript').innerText()).toBe(say.seller.auth.needsScript);
  });
});

test('who is signed in and wants to sell is asked for the profile alone, and comes to the wizard', async () => {
  const page = await visitAs(market, await signUpMember(market), { language: 'en' });
  await page.goto('/en/seller/products/upload');
  await fill(page, { name: 'Ewane', whatsapp: '699001234', location: 'Kribi, South' });
  await button(page, dictionaries.en.seller.profile.save).click();
  await page.locator('[name="name.en"]').waitFor();
});
