import { eq } from 'drizzle-orm';
import type { Page } from 'playwright';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { schema } from '../../db/client.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import { actors, type Person, signUpSeller } from '../support/actors.ts';
import { openMarket } from '../support/market.ts';
import { live } from '../support/products.ts';
import { answerWhatsApp, expectUsable } from '../support/visits.ts';

/** The challenge ahead of a seller's number (decision 028), with a script and without. */
const market = await openMarket();
const national = '699445611';
let slotId = 0;

beforeAll(async () => {
  const { admin } = await actors(market);
  const seller: Person = await signUpSeller(market, { whatsapp: `+237${national}` });
  ({ slotId } = await live(market, seller, admin, { name: { en: 'Radio', fr: 'Radio' } }));
});
beforeEach(async () => {
  await market.db.delete(schema.contactRequests);
  await market.db.delete(schema.contactChallenges);
  await market.db.delete(schema.settings);
  await market.db
    .insert(schema.settings)
    .values({ key: 'contactNewcomersFree', value: 0, updatedAt: market.clock.now() });
  market.pageCache.drop();
});

/** Answers the newest challenge as a person does, in a language. */
async function answerIn(language: Language): Promise<string> {
  const rows = await market.db.select().from(schema.contactChallenges);
  const question = rows.find(({ answeredAt }) => answeredAt === null)?.question;
  const { words, numbers } = dictionaries[language].shop.question;
  if (question?.kind === 'sum')
    return numbers[`n${question.a + question.b}` as keyof typeof numbers];
  return words[question?.words[question.place - 1] as keyof typeof words];
}
/** Lets the time before an answer pass on the server; the page has its own clock. */
const pass = async (page?: Page) => {
  market.clock.advance({ seconds: 6 });
  await page?.locator('[data-open]:not([aria-disabled])').waitFor();
};
const shots = process.env.SHOTS;
const shot = async (page: Page, name: string) => {
  if (!shots) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${shots}/${name}-${colorScheme}.png` });
  }
  await page.emulateMedia({ colorScheme: 'light' });
};

describe('a newcomer', () => {
  const language = 'en';
  const say = dictionaries[language];
  const t = translator(language, 'errors');

  test('answers a question in the consent step, and WhatsApp opens from that tap', async () => {
    const page = await market.visit({ language });
    await page.goto(`/${language}/shop/slot/${slotId}`);
    await page.locator('dialog[data-live]').waitFor({ state: 'attached' });
    await page.locator('.deal [data-action=contact]').click();
    await page.locator('dialog[open] input[name=consent]').check();
    await page.locator('[data-open]').click();
    const field = page.locator('dialog[open] input[name=answer]');
    await field.waitFor();
    await page.getByText(t('contact.challenge')).waitFor();
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
    await shot(page, 'step');
    await expectUsable(page, 'dialog[open]');
    expect(await page.locator('.notice').count()).toBe(0);
    await field.fill('no idea');
    await pass(page);
    await page.locator('[data-open]').click();
    await page.getByText(t('contact.wrongAnswer')).waitFor();
    expect(await field.inputValue()).toBe('');
    await field.fill(await answerIn(language));
    await pass(page);
    await answerWhatsApp(page);
    const [tab] = await Promise.all([page.context().waitForEvent('page'), field.press('Enter')]);
    await tab.waitForURL('https://wa.me/**');
    expect(new URL(tab.url()).pathname).toBe(`/237${national}`);
    await page.bringToFront();
    await page.locator('dialog[open]').getByText(say.shop.contact.openAgain).waitFor();
    expect(page.errors).toEqual([]);
  });

  test('answers it on a page of its own without a script', async () => {
    const page = await market.visit({ language, javaScriptEnabled: false });
    await page.goto(`/${language}/shop/slot/${slotId}#contact`);
    await page.locator('input[name=consent]').check();
    await page.locator('[data-open]').click();
    await page.waitForURL(`**/${language}/contact/question?**`);
    await page.getByRole('heading', { name: say.shop.question.title }).waitFor();
    await shot(page, `page-${language}`);
    const field = page.locator('input[name=answer]');
    const send = page.getByRole('button', { name: say.shop.questionForm.send });
    await field.fill(await answerIn(language));
    await send.click();
    await page
      .getByRole('alert')
      .getByText(t('contact.tooEarly', { seconds: 5 }))
      .waitFor();
    // The input is still there.
    expect(await field.inputValue()).toBe(await answerIn(language));
    await pass();
    await field.fill('no idea');
    await send.click();
    await page.getByRole('alert').getByText(t('contact.wrongAnswer')).waitFor();
    await shot(page, `page-wrong-${language}`);
    await pass();
    await field.fill(await answerIn(language));
    // The external page cannot be reached from a test: the request counts.
    const [asked] = await Promise.all([page.waitForRequest('https://wa.me/**'), send.click()]);
    expect(new URL(asked.url()).pathname).toBe(`/237${national}`);
  });

  test('who comes back to a question that is over is led back to the product', async () => {
    const page = await market.visit({ language });
    const answer = await page.goto(`/${language}/contact/question?token=x&slot=${slotId}`);
    expect(answer?.status()).toBe(404);
    await page.getByRole('heading', { name: say.shop.question.goneTitle }).waitFor();
    await page.locator('a.button--primary', { hasText: say.shop.question.back }).click();
    await page.waitForURL(`**/${language}/shop/slot/${slotId}`);
  });

  test('is not asked where the market’s few are not used up: the browser has its cookie before the tap', async () => {
    await market.db
      .update(schema.settings)
      .set({ value: 20 })
      .where(eq(schema.settings.key, 'contactNewcomersFree'));
    const page = await market.visit({ language });
    await page.goto(`/${language}/shop/slot/${slotId}`);
    await page.locator('dialog[data-live]').waitFor({ state: 'attached' });
    await expect
      .poll(async () => (await page.context().cookies()).some(({ name }) => name === 'visitor'))
      .toBe(true);
    await page.locator('.deal [data-action=contact]').click();
    await page.locator('dialog[open] input[name=consent]').check();
    await answerWhatsApp(page);
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.locator('[data-open]').click(),
    ]);
    await tab.waitForURL('https://wa.me/**');
  });
});
