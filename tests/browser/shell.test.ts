import { eq } from 'drizzle-orm';
import type { BrowserContext, Page } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../db/client.ts';
import { dictionaries, languageNames, translator } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { type Actors, actors, signInAdmin, signUpSeller } from '../support/actors.ts';
import { desktop, openMarket } from '../support/market.ts';
import { live } from '../support/products.ts';
import { visitAs } from '../support/visits.ts';
import { button, expectNoSidewaysScroll, patient } from './people.ts';

/** What every page has: languages, the error screen, the reporter, words on icons, messages, and who is signed in (product §10). */
const market = await openMarket();
let people: Actors;
let stall: { id: string; slotId: number };
beforeAll(async () => {
  people = await actors(market);
  stall = await live(market, people.seller, people.admin);
}, 120_000);

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const alive = (page: Page) => page.waitForFunction(() => document.querySelector('astro-island') !== null && !document.querySelector('astro-island[ssr]'));

/** Every module of the page's islands throws as long as the page has `broken`; what it is otherwise stays. */
async function breakIslands(page: Page): Promise<void> {
  await page.addInitScript(() => Object.assign(window, { broken: true }));
  await page.goto('about:blank');
  await page.route(/\/_astro\/[^?]+\.js$/, async (route) => {
    const { pathname } = new URL(route.request().url());
    // The page's own list of islands says which modules those are.
    const named = await page.evaluate((path) => document.querySelector(`astro-island[component-url="${path}"]`) !== null, pathname).catch(() => false);
    if (!named) return route.continue();
    const body = `import Real from '${pathname}?real'; export default (props) => { if (window.broken) throw new Error('Broken on purpose'); return Real(props); };`;
    return route.fulfill({ contentType: 'text/javascript', body });
  });
}

describe.each([...languages])('in %s', (language) => {
  const { common, seller: ofSellers, admin: ofAdmins } = dictionaries[language];
  const other = language === 'en' ? 'fr' : 'en';
  const screen = common.errorScreen;
  const at = (path: string) => `/${language}${path}`;
  const menuButton = (page: Page) => button(page, translator(language, 'common')('language.current', { language: languageNames[language] }));
  const visit = () => market.visit({ language });

  test('the menu of languages works by keyboard and without a script, and keeps address and query', async () => {
    const page = await market.visit({ language, javaScriptEnabled: false });
    await page.goto(at('/how-it-works?from=here'));
    const menu = page.locator('#languages');
    expect(await menu.isVisible()).toBe(false);
    await menuButton(page).focus();
    await page.keyboard.press('Enter');
    for (const code of languages) await menu.getByText(languageNames[code], { exact: true }).waitFor();
    expect(await menu.locator('[aria-current]').allTextContents()).toEqual([languageNames[language]]);
    const looks = await menu.locator('a').evaluateAll((links) => links.map((one) => getComputedStyle(one).boxShadow !== 'none'));
    expect(looks).toEqual(languages.map((code) => code === language));
    const [box, opener] = [await menu.boundingBox(), await menuButton(page).boundingBox()];
    expect(box?.y).toBeGreaterThanOrEqual((opener?.y ?? 0) + (opener?.height ?? 0) - 1);
    await expectNoSidewaysScroll(page);
    await page.keyboard.press('Escape');
    expect(await menu.isVisible()).toBe(false);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    while ((await page.evaluate(() => document.activeElement?.getAttribute('lang'))) !== other) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/${other}/how-it-works?from=here`);
  });

  test('the tools have the menu too, and what is chosen is remembered', async () => {
    const page = await visitAs(market, people.admin, { language });
    await page.goto(at('/admin/users?search=Ngo'));
    await alive(page);
    await button(page, common.nav.openMenu).click();
    await menuButton(page).click();
    const menu = page.locator('#languages');
    expect(await menu.locator('[aria-current]').allInnerTexts()).toEqual([languageNames[language]]);
    await menu.getByText(languageNames[other], { exact: true }).click();
    await page.waitForURL(`**/${other}/admin/users?search=Ngo`);
    await page.goto('/how-it-works');
    expect(await page.locator('html').getAttribute('lang')).toBe(other);
  });

  test('a link of the public menu is remembered', async () => {
    const page = await visit();
    await page.goto(at('/how-it-works'));
    await menuButton(page).click();
    await page.locator('#languages').getByText(languageNames[other], { exact: true }).click();
    await page.waitForURL(`**/${other}/how-it-works`);
    await expect.poll(async () => (await page.context().cookies()).find(({ name }) => name === 'language')?.value).toBe(other);
  });

  test('an island that fails shows the error screen, which reports, and brings it back', async () => {
    const page = await visit();
    const reports: string[] = [];
    await page.route('**/api/errors', (route) => {
      reports.push(route.request().postData() ?? '');
      return route.fulfill({ status: 202, json: {} });
    });
    await breakIslands(page);
    await page.goto(at('/seller/auth'));
    const failed = page.locator('.gate .state');
    await failed.getByRole('heading', { name: screen.title }).waitFor();
    await failed.getByText(screen.text).waitFor();
    await expect.poll(() => reports.some((report) => report.includes('Broken on purpose'))).toBe(true);
    expect(await link(page, screen.goHome).first().getAttribute('href')).toBe(`/${language}`);
    const told = reports.length;
    const [written] = await Promise.all([page.waitForEvent('console'), failed.getByRole('button', { name: screen.report }).click()]);
    expect(await written.args()[0]?.jsonValue()).toEqual({
      message: 'Broken on purpose',
      stack: expect.stringContaining('Broken on purpose'),
      userAgent: await page.evaluate(() => navigator.userAgent),
      url: page.url(),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      userId: '',
    });
    await failed.getByText(screen.reported).waitFor();
    // To the console alone.
    expect(reports).toHaveLength(told);
    await page.evaluate(() => Object.assign(window, { broken: false }));
    await failed.getByRole('button', { name: screen.tryAgain }).click();
    await page.locator('input[name=email]').fill('somebody@example.test');
    await button(page, ofSellers.auth.signIn).waitFor();
    expect(page.errors).toEqual([]);
  });

  test('the error page of the server reports in the same shape', async () => {
    const page = await visit();
    await page.goto(at('/500'));
    const [written] = await Promise.all([page.waitForEvent('console'), button(page, screen.report).click()]);
    const report = (await written.args()[0]?.jsonValue()) as Record<string, unknown>;
    expect(Object.keys(report)).toEqual(['message', 'stack', 'userAgent', 'url', 'timestamp', 'userId']);
    expect(report.userId).toBe('');
    await page.getByText(screen.reported).waitFor();
  });

  test('an island that never comes leaves no dead button: the page says so', async () => {
    const page = await visit();
    await page.route(/\/_astro\/SignInForm\.[^/]*js/, (route) => route.abort());
    await page.goto(at('/seller/auth?mode=sign-up'));
    const note = page.getByRole('alert').filter({ hasText: common.states.retry });
    await note.waitFor();
    await page.unroute(/\/_astro\/SignInForm\.[^/]*js/);
    await note.getByRole('link', { name: screen.tryAgain }).click();
    await alive(page);
    expect(new URL(page.url()).search).toBe('?mode=sign-up');
    expect(await note.isVisible()).toBe(false);
  });
});
