import { eq } from 'drizzle-orm';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { weeklyLimit } from '../../api/payments/rules.ts';
import { writeSetting } from '../../api/settings/values.ts';
import { schema } from '../../db/client.ts';
import { dictionaries } from '../../locales/index.ts';
import { type Person, signUpMember } from '../support/actors.ts';
import { balanceOf, expectSoundCredits, grant } from '../support/credits.ts';
import { desktop, openMarket } from '../support/market.ts';
import { filled } from '../support/requests.ts';
import { visitAs } from '../support/visits.ts';
import { button } from './people.ts';

/** Creating a post, buying credits, and the statement of both, on the test's payment clock. */
const market = await openMarket();
const payee = { number: '+237699000954', payee: 'Caisse de Bonapriso' };

beforeAll(async () => {
  const job = market.job('test');
  await writeSetting(job, 'xafPerUsd', 600);
  await writeSetting(job, 'xafPerUsdFrom', '2026-11-01');
  await writeSetting(job, 'weeklyPurchaseLimitUsd', 30);
  const none = { number: '', payee: '' };
  await writeSetting(job, 'payees', { mtn_momo: none, orange_money: none, cash: payee });
});

const dialog = (page: Page) => page.locator('dialog[open]');
const field = (page: Page, name: string) => dialog(page).locator(`[name="${name}"]`);
const said = (page: Page, text: string) =>
  dialog(page).getByText(text, { exact: true }).first().waitFor();
const posts = (person: Person) =>
  market.db.select().from(schema.connectPosts).where(eq(schema.connectPosts.userId, person.userId));

async function signInHere(page: Page, { email, password }: Person) {
  await dialog(page).locator('a[href*="/sign-in?next="]').click();
  await page.locator('main input[name=email]').fill(email);
  await page.locator('main input[name=password]').fill(password);
  await page.locator('form:has(input[name=password]) button[type=submit]').click();
  await field(page, 'title').waitFor();
}

describe('a post and its credits', () => {
  const language = 'en';
  const { connect: say, validation, errors } = dictionaries[language];
  const { create, auth, buy, statement } = say;
  const at = (path: string) => `/${language}/connect${path}`;

  test('a post is asked for, and nothing of what is typed is lost on the way to it', async () => {
    const person = await signUpMember(market, { language });
    const page = await market.visit({ language });
    await page.goto(at('?search=taxi&new'));
    await said(page, auth.title);
    await signInHere(page, person);
    expect(page.url()).toBe(`${market.url}${at('?search=taxi&new')}`);

    // Missing fields and their place, and a number in the text, which one press moves.
    await button(page, create.publish).click();
    await said(page, create.missing.title);
    await said(page, create.missing.text);
    expect(await dialog(page).locator('[aria-invalid=true]').count()).toBe(3);
    await field(page, 'title').fill('Paint two rooms');
    await field(page, 'description').fill('Walls and ceilings. Call me on 6 99 00 12 34 today');
    await said(page, validation.phoneInText);
    await button(page, create.move).click();
    expect(await field(page, 'description').inputValue()).toBe(
      'Walls and ceilings. Call me on today',
    );
    expect(await field(page, 'contactWhatsapp').inputValue()).toBe('+237699001234');
    await field(page, 'category').selectOption('repairs');
    await field(page, 'budgetMin').fill('9000');
    await field(page, 'budgetMax').fill('100.5');

    // Tags: added by Enter or the button, trimmed, unique, and removable by keyboard.
    for (const tag of [' paint ', 'PAINT', 'walls']) {
      await field(page, 'tag').fill(tag);
      await field(page, 'tag').press('Enter');
    }
    await field(page, 'tag').fill('roof');
    await button(page, create.addTag).click();
    await button(page, filled(create.removeTag, { tag: 'walls' })).focus();
    await page.keyboard.press('Enter');
    await field(page, 'tag').fill('ceiling');
    await button(page, create.publish).click();
    await said(page, validation.budgetOrder);
    await field(page, 'budgetMax').fill('20000.5');

    // The session ended: after signing in again, all input is there.
    await market.db.delete(schema.session).where(eq(schema.session.userId, person.userId));
    await button(page, create.publish).click();
    await said(page, auth.title);
    await signInHere(page, person);
    expect(await field(page, 'title').inputValue()).toBe('Paint two rooms');
    await said(page, create.insufficient.title);
    await button(page, create.publish).click();
    await dialog(page).locator('[role=alert]').getByText(errors.credits.neededForPost).waitFor();
    expect(await dialog(page).locator('[role=alert] a').getAttribute('href')).toBe('?buy');
    expect(await posts(person)).toEqual([]);

    // The answer is lost and the page reloaded: published and paid for once.
    await grant(market, person, 5);
    await page.route('**/api/connect/posts', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await button(page, create.publish).click();
    await said(page, create.transactionFailed);
    await page.unroute('**/api/connect/posts');
    await page.reload();
    await field(page, 'title').waitFor();
    // The first try was paid for, so that the balance is another one: it asks before it goes on.
    await dialog(page)
      .getByText(filled(create.balance_other, { count: '3' }))
      .waitFor();
    await button(page, create.publish).click();
    await dialog(page)
      .getByText(create.tried.changed.split('.')[0] ?? '')
      .waitFor();
    await button(page, create.publish).click();
    await page.waitForURL(new RegExp(`${at('/')}[a-z2-9]{8}$`));
    const [post, ...more] = await posts(person);
    expect(more).toEqual([]);
    expect(page.url()).toBe(market.url + at(`/${post?.reference}`));
    expect(post).toMatchObject({
      budgetMin: '9000.00',
      budgetMax: '20000.50',
      tags: ['paint', 'roof', 'ceiling'],
      contactWhatsapp: '+237699001234',
    });
    expect(await balanceOf(market, person)).toBe(3);
    expect(
      await page.evaluate(() =>
        Object.keys(localStorage).filter((key) => key.includes('draft.connect')),
      ),
    ).toEqual([]);
    await expectSoundCredits(market);
    expect(page.errors).toEqual([]);
  });

  test('credits are bought by card, by mobile money over a reload, and by cash, which is taken back at the weekly limit', async () => {
    const person = await signUpMember(market, { language });
    const page = await visitAs(market, person, { language, viewport: desktop });
    await page.goto(at('/credits'));
    await page.getByText(statement.noEntries).waitFor();
    const buyNow = () => dialog(page).locator('.dialog__foot .button--primary');
    const opens = () => page.locator('.statement a[href="?buy"].button').click();
    // The island waits until the page is idle; until then the link leads to the same dialog.
    await opens();
    await said(page, filled(buy.pack, { credits: 25 }));
    await dialog(page).getByText(buy.forever).waitFor();
    await dialog(page)
      .getByText(/XAF\s6,000/)
      .waitFor();
    await dialog(page)
      .getByText(/1\snov\.?\s2026/i)
      .waitFor();
    await said(page, buy.testMode);
    await buyNow().click();
    await said(page, buy.running);
    market.clock.advance({ seconds: 2 });
    await said(page, buy.success.title);
    await said(page, filled(buy.success.text, { credits: 25 }));
    await expect.poll(() => page.locator('[data-balance]').innerText()).toBe('25');
    await button(page, buy.done).click();
    await page.locator('.statement').getByText(statement.states.completed).waitFor();

    await opens();
    await field(page, 'method').nth(1).check();
    await buyNow().click();
    await said(page, buy.running);
    await page.reload();
    await said(page, buy.running);
    market.clock.advance({ seconds: 3 });
    await said(page, buy.success.title);
    await button(page, buy.done).click();

    await opens();
    await field(page, 'method').nth(2).check();
    await dialog(page).getByText(payee.payee).waitFor();
    await buyNow().click();
    await said(page, buy.initiated.title);
    const [cash] = await market.db
      .select()
      .from(schema.purchases)
      .where(eq(schema.purchases.status, 'pending'));
    await dialog(page)
      .getByText(cash?.reference ?? 'none')
      .waitFor();
    await button(page, buy.done).click();
    await opens();
    await said(page, buy.limit.title);
    await said(page, filled(buy.limit.text, { limit: 30 }));
    const { days_left } = weeklyLimit({ limit: 30, spent: 30, now: market.clock.now() });
    await said(
      page,
      filled(days_left === 1 ? buy.limit.days_one : buy.limit.days_other, { count: days_left }),
    );
    expect(await buyNow().isDisabled()).toBe(true);
    await button(page, buy.cancel).click();
    await dialog(page).getByText(buy.limit.title).waitFor({ state: 'detached' });
    // A pending dialog ignores every key.
    await page.locator('dialog[open]:not([aria-busy])').waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    const states = page.locator('.statement section').last();
    await states.getByText(statement.states.cancelled).waitFor();
    expect(await states.getByText(statement.states.completed).count()).toBe(2);
    expect(
      await page.getByText(statement.kinds.purchase, { exact: false }).count(),
    ).toBeGreaterThan(1);
    expect(await balanceOf(market, person)).toBe(50);
    await expectSoundCredits(market);
    expect(page.errors).toEqual([]);
  });
});
