import type { Page } from 'playwright';
import { beforeEach, describe, expect, test } from 'vitest';
import { schema } from '../../db/client.ts';
import { dictionaries } from '../../locales/index.ts';
import { type Person, signUpMember } from '../support/actors.ts';
import { fillCounters } from '../support/counters.ts';
import { openMarket } from '../support/market.ts';
import { answerTo } from '../support/question.ts';
import { expectUsable } from '../support/visits.ts';

/**
 * The challenge ahead of a sign-in at an address with many failures (decision 059), with scripts
 * and without.
 */
const market = await openMarket();
const person: Person = await signUpMember(market);
const wrong = 'not the password';

const shots = process.env.SHOTS;
const shot = async (page: Page, name: string) => {
  if (!shots) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${shots}/${name}-${colorScheme}.png`, fullPage: true });
  }
  await page.emulateMedia({ colorScheme: 'light' });
};

beforeEach(async () => {
  await market.db.delete(schema.rateLimit);
});
const fill = async (page: Page, password: string) => {
  await page.locator('input[name=email]:visible').fill(person.email);
  await page.locator('input[name=password]:visible').fill(password);
};

describe('the question', () => {
  const language = 'en';
  const say = dictionaries[language];
  const submit = (page: Page) =>
    page.locator('main').getByRole('button', { name: say.seller.auth.signIn, exact: true }).click();
  // Playwright's text engine does not look into a noscript element: the alert is found first.
  const told = (page: Page, sentence: string) =>
    page.locator('main [role=alert]:visible', { hasText: sentence }).waitFor();
  /** Fails once to create the counters, then raises them. */
  const flood = async (page: Page) => {
    await fill(page, wrong);
    await submit(page);
    await told(page, say.errors.auth.invalidCredentials);
    await fillCounters(market, 'sign-in:account:%', 60);
    await fillCounters(market, 'sign-in:account:%:%', 5);
  };
  const answer = (page: Page) => page.locator('input[name=answer]:visible');
  const answerIn = async (page: Page) =>
    answerTo(
      (await page.locator('label:visible', { hasText: '?' }).textContent())
        ?.replace(/ \*$/, '')
        .trim() ?? '',
    );

  test('the question joins the form, which keeps what was typed', async () => {
    const page = await market.visit({ language });
    await page.goto(`/${language}/sign-in`);
    await flood(page);
    await fill(page, person.password);
    await submit(page);
    await told(page, say.errors.auth.challenge);
    expect(await page.locator('input[name=email]:visible').inputValue()).toBe(person.email);
    expect(await page.locator('input[name=password]:visible').inputValue()).toBe(person.password);
    expect(await answer(page).evaluate((input) => input === document.activeElement)).toBe(true);
    // An account under attack offers the way past it.
    await page.getByText(say.seller.signInLink.offer).waitFor();
    await shot(page, `form-${language}`);
    await expectUsable(page, 'main');
    await answer(page).fill('no idea');
    await submit(page);
    await told(page, say.errors.auth.wrongAnswer);
    expect(await answer(page).inputValue()).toBe('');
    await shot(page, `form-wrong-${language}`);
    await answer(page).fill(await answerIn(page));
    await answer(page).press('Enter');
    await page.waitForURL('**/account');
    expect(page.errors).toEqual([]);
  });

  test('without scripts the form comes back with the question, and nothing typed is lost but the password', async () => {
    const page = await market.visit({ language, javaScriptEnabled: false });
    await page.goto(`/${language}/sign-in`);
    await shot(page, `plain-${language}`);
    await flood(page);
    expect(new URL(page.url()).search).not.toContain(encodeURIComponent(person.email));
    expect(await page.locator('input[name=email]:visible').inputValue()).toBe(person.email);
    expect(await page.locator('input[name=password]:visible').inputValue()).toBe('');
    await fill(page, person.password);
    await submit(page);
    await told(page, say.errors.auth.challenge);
    await shot(page, `plain-question-${language}`);
    expect(await page.locator('input[name=email]:visible').inputValue()).toBe(person.email);
    await page.locator('input[name=password]:visible').fill(person.password);
    await answer(page).fill(await answerIn(page));
    await submit(page);
    await page.waitForURL(`**/${language}/account`);
  });
});
