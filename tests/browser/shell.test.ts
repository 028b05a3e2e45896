import { eq } from 'drizzle-orm';
import type { Locator, Page } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { ownVersion } from '../../api/legal/version.ts';
import { schema } from '../../db/client.ts';
import { dictionaries, languageNames, translator } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { type Actors, actors, type Person, signUpSeller } from '../support/actors.ts';
import { breakIslands } from '../support/islands.ts';
import { desktop, linkIn, openMarket, phone } from '../support/market.ts';
import { paidPost } from '../support/posts.ts';
import { approved, live } from '../support/products.ts';
import { visitAs } from '../support/visits.ts';
import { button, expectNoSidewaysScroll, patient } from './people.ts';

/**
 * Common parts of every page: languages, the error screen, the reporter, icon labels, toasts, and
 * the account (product §10).
 */
const market = await openMarket();
let people: Actors;
let stall: { id: string; slotId: number };
let _ownPost: string;
beforeAll(async () => {
  people = await actors(market);
  stall = await live(market, people.seller, people.admin);
  await approved(market, people.seller, people.admin, { listingType: 'featured' });
  _ownPost = await paidPost(market, people.seller);
}, 120_000);

const placeOf = (element: Locator) =>
  element.evaluate((one) => one.getBoundingClientRect().toJSON() as DOMRect);
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const alive = (page: Page) =>
  page.waitForFunction(
    () =>
      document.querySelector('astro-island') !== null &&
      !document.querySelector('astro-island[ssr]'),
  );

describe('the common parts', () => {
  const language = 'en';
  const { common, seller: ofSellers } = dictionaries[language];
  const other = 'fr';
  const screen = common.errorScreen;
  const at = (path: string) => `/${language}${path}`;
  const menuButton = (page: Page) =>
    page.getByLabel(
      translator(language, 'common')('language.current', { language: languageNames[language] }),
    );
  const visit = () => market.visit({ language });

  test('the menu of languages works by keyboard and without a script, and keeps address and query', async () => {
    const page = await market.visit({ language, javaScriptEnabled: false });
    await page.goto(at('/how-it-works?from=here'));
    const menu = page.locator('.languages__list');
    expect(await menu.isVisible()).toBe(false);
    await menuButton(page).focus();
    await page.keyboard.press('Enter');
    for (const code of languages)
      await menu.getByText(languageNames[code], { exact: true }).waitFor();
    expect(await menu.locator('[aria-current]').allTextContents()).toEqual([
      languageNames[language],
    ]);
    const looks = await menu
      .locator('a')
      .evaluateAll((links) => links.map((one) => getComputedStyle(one).boxShadow !== 'none'));
    expect(looks).toEqual(languages.map((code) => code === language));
    for (const size of [phone, desktop]) {
      await page.setViewportSize(size);
      const [opener, box] = [await placeOf(menuButton(page)), await placeOf(menu)];
      expect(
        Math.max(Math.abs(box.top - opener.bottom), Math.abs(box.right - opener.right)),
        'right below its button',
      ).toBeLessThanOrEqual(4);
      await expectNoSidewaysScroll(page);
    }
    // Its sign covers the page, so a tap beside it closes it.
    await page.mouse.click(10, 700);
    expect(await menu.isVisible()).toBe(false);
    await menuButton(page).press('Enter');
    await page.keyboard.press('Tab');
    while ((await page.evaluate(() => document.activeElement?.getAttribute('lang'))) !== other)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/${other}/how-it-works?from=here`);
  });

  test('the tools have the menu too, and what is chosen is remembered', async () => {
    const page = await visitAs(market, people.admin, { language });
    await page.goto(at('/admin/users?search=Ngo'));
    await alive(page);
    const side = page.locator('.tool__side');
    await page.locator('summary').first().click();
    await side.waitFor();
    // As a finger does: what is under it may move between down and up.
    await page.mouse.move(345, 400);
    await page.mouse.down();
    await page.mouse.up();
    await side.waitFor({ state: 'hidden' });
    await page.locator('summary').first().click();
    await menuButton(page).click();
    const menu = page.locator('.languages__list');
    expect(await menu.locator('[aria-current]').allInnerTexts()).toEqual([languageNames[language]]);
    const [opener, box] = [await placeOf(menuButton(page)), await placeOf(menu)];
    expect(
      Math.max(Math.abs(box.bottom - opener.top), Math.abs(box.left - opener.left)),
      'right above its button',
    ).toBeLessThanOrEqual(4);
    await menu.getByText(languageNames[other], { exact: true }).click();
    await page.waitForURL(`**/${other}/admin/users?search=Ngo`);
    await page.goto('/how-it-works');
    expect(await page.locator('html').getAttribute('lang')).toBe(other);
  });

  test('a browser without gaps between flex items gets margins, which give way to any other', async () => {
    const page = await visit();
    await page.addInitScript(() => {
      Reflect.deleteProperty(window, 'HTMLDialogElement');
      Object.defineProperty(HTMLElement.prototype, 'scrollHeight', { value: 0 });
    });
    await page.goto(at('/how-it-works'));
    const margin = (selector: string, side: 'Left' | 'Right' | 'Bottom') =>
      page
        .locator(selector)
        .first()
        .evaluate((one, name) => getComputedStyle(one)[`margin${name}`], side);
    await expect.poll(() => margin('.header .wrap > .languages', 'Left')).toBe('4px');
    await page.setViewportSize(desktop);
    expect(await margin('.footer > .wrap > nav', 'Right')).toBe('16px');
    expect(await margin('.footer > .wrap > nav', 'Bottom')).toBe('24px');
    expect(Number.parseFloat(await margin('.header .logo', 'Right'))).toBeGreaterThan(16);
  });

  test('a link of the public menu is remembered', async () => {
    const page = await visit();
    await page.goto(at('/how-it-works'));
    await menuButton(page).click();
    await expect
      .poll(async () => {
        await page.keyboard.press('Escape');
        return page.locator('.languages__list').isVisible();
      })
      .toBe(false);
    await page.keyboard.press('Enter');
    await page.locator('.languages__list').getByText(languageNames[other], { exact: true }).click();
    await page.waitForURL(`**/${other}/how-it-works`);
    await expect
      .poll(
        async () => (await page.context().cookies()).find(({ name }) => name === 'language')?.value,
      )
      .toBe(other);
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
    await expect
      .poll(() => reports.some((report) => report.includes('Broken on purpose')))
      .toBe(true);
    expect(await link(page, screen.goHome).first().getAttribute('href')).toBe(`/${language}`);
    const told = reports.length;
    const [written] = await Promise.all([
      page.waitForEvent('console'),
      failed.getByRole('button', { name: screen.report }).click(),
    ]);
    expect(await written.args()[0]?.jsonValue()).toEqual({
      message: 'Broken on purpose',
      stack: expect.stringContaining('Broken on purpose'),
      userAgent: await page.evaluate(() => navigator.userAgent),
      url: page.url(),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      userId: '',
    });
    await failed.getByText(screen.reported).waitFor();
    // Only to the console.
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
    const [written] = await Promise.all([
      page.waitForEvent('console'),
      button(page, screen.report).click(),
    ]);
    const report = (await written.args()[0]?.jsonValue()) as Record<string, unknown>;
    expect(Object.keys(report)).toEqual([
      'message',
      'stack',
      'userAgent',
      'url',
      'timestamp',
      'userId',
    ]);
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

  test('icons say their word after 700 ms, four pixels away, and at once to the keyboard', async () => {
    const page = await visitAs(market, people.admin, { language, viewport: desktop });
    await page.clock.install();
    await page.goto(at('/admin/queue'));
    const bin = page.locator('[data-act=remove]').first();
    await bin.waitFor();
    const word = page.getByRole('tooltip');
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await bin.hover();
    await page.clock.runFor(699);
    expect(await word.isVisible()).toBe(false);
    await page.clock.runFor(1);
    await word.waitFor();
    expect(await word.textContent()).toBe(dictionaries[language].admin.queue.remove);
    const [tip, control] = [await word.boundingBox(), await bin.boundingBox()];
    expect((control?.y ?? 0) - (tip?.y ?? 0) - (tip?.height ?? 0)).toBeCloseTo(4, 0);
    await page.keyboard.press('Escape');
    expect(await word.isVisible()).toBe(false);
    await page.mouse.move(0, 0);
    await page.locator('[data-act=assign]').first().focus();
    await page.keyboard.press('Tab');
    await page.clock.runFor(1);
    await word.waitFor();
  });

  test('messages stand side by side, in the theme of the page, also after it was switched', async () => {
    const page = await visitAs(market, people.admin, {
      language,
      viewport: desktop,
      colorScheme: 'light',
    });
    /** Shows three messages left by the page before. */
    const shown = async (theme: string) => {
      // Until then the page would take them itself.
      await alive(page);
      await page.evaluate(() =>
        sessionStorage.setItem(
          'marche54.flash',
          JSON.stringify(['One', 'Two', 'Three'].map((title) => ({ tone: 'success', title }))),
        ),
      );
      await page.reload();
      const messages = page.locator(`[data-sonner-theme=${theme}] [data-sonner-toast]`);
      await expect.poll(() => messages.count(), patient).toBe(3);
    };
    await page.goto(at('/admin/queue'));
    await shown('light');
    await button(page, common.theme.dark).click();
    await page.locator('html[data-theme=dark]').waitFor();
    await shown('dark');
  });

  describe('two tabs', () => {
    const account = (page: Page) => link(page, common.nav.account);
    const signUp = (page: Page) => link(page, common.nav.signUp);
    const wide = { language, viewport: desktop } as const;
    const signedIn = async (person: Pick<Person, 'jar'> = people.seller) => {
      // The test's own session: signing out would end it for others.
      const page = await visitAs(market, person, wide);
      return { page, beside: async (path: string) => opened(await page.context().newPage(), path) };
    };
    const opened = async (page: Page, path: string) => {
      await page.goto(at(path));
      await page.waitForLoadState('load');
      return page;
    };
    const someone = async () => signUpSeller(market, { language });
    const typeIn = async (page: Page, { email, password }: Person) => {
      await page.locator('input[name=email]').fill(email);
      await page.locator('input[name=password]').fill(password);
      await button(page, ofSellers.auth.signIn).click();
    };

    test('signing out by the plain form, and in again by the password, is felt at once in public pages and tools', async () => {
      const person = await someone();
      const { page, beside } = await signedIn(person);
      const [home, how, product] = [
        await beside('/'),
        await beside('/how-it-works'),
        await beside(`/shop/slot/${stall.slotId}`),
      ];
      await opened(page, '/seller/dashboard');
      const upload = await beside('/seller/products/upload');
      await alive(home);
      await alive(product);
      const everybody = [home, how, product];
      for (const tab of everybody) {
        await account(tab).waitFor();
        expect(await signUp(tab).isVisible()).toBe(false);
      }
      await button(page, ofSellers.dashboard.signOut).last().click();
      await upload.waitForURL('**/seller/auth?next=*');
      for (const tab of everybody) await signUp(tab).waitFor();
      for (const tab of everybody) expect(await account(tab).isVisible()).toBe(false);
      await typeIn(page, person);
      await page.waitForURL('**/seller/dashboard*');
      // The waiting sign-in page goes on to its target.
      await upload.waitForURL('**/seller/products/upload');
      for (const tab of everybody) await account(tab).waitFor();
      expect(page.errors).toEqual([]);
    });

    test('a mailed link that signs in also signs in the tabs beside it', async () => {
      const person = {
        email: `link.${language}@example.test`,
        password: 'a good password',
        name: 'Ebogo',
        whatsapp: '699001122',
        location: 'Kribi, South',
        agreed: ownVersion.id,
      };
      const page = await market.visit(wide);
      await page.goto(at('/how-it-works'));
      await page.request.post('/api/auth/sign-up', {
        data: person,
        headers: { 'x-language': language },
      });
      const tab = await opened(
        await page.context().newPage(),
        '/seller/auth?next=%2Fseller%2Fproducts%2Fupload',
      );
      const verifying = await page.context().newPage();
      await verifying.goto(linkIn(await market.letterTo(person.email)));
      await tab.waitForURL('**/seller/products/upload');
      await account(page).waitFor();
    });

    test('a session that the server ended ends everywhere with the first answer that says so', async () => {
      const person = await someone();
      const { page, beside } = await signedIn(person);
      await opened(page, '/seller/dashboard?edit=profile');
      await expect
        .poll(() => page.locator('input[name=whatsapp]').inputValue(), patient)
        .not.toBe('');
      const [home, upload] = [await beside('/'), await beside('/seller/products/upload')];
      await alive(home);
      await alive(upload);
      // Its own first requests are done: the next answer is this page's.
      const asked = () =>
        upload.evaluate(() =>
          performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/api/drafts')),
        );
      await expect.poll(asked, patient).toBe(true);
      await market.db.delete(schema.session).where(eq(schema.session.userId, person.userId));
      await button(page, ofSellers.profile.save).click();
      await upload.waitForURL('**/seller/auth?next=*');
      await signUp(home).waitFor();
    });

    test('nobody sees what was another person’s', async () => {
      const [one, two] = [await someone(), await someone()];
      const { page } = await signedIn(one);
      const context = page.context();
      await opened(page, '/seller/dashboard');
      await alive(page);
      await page.getByText(one.email).first().waitFor({ state: 'attached' });
      const other = await visitAs(market, two, wide);
      await context.clearCookies();
      await context.addCookies(await other.context().cookies());
      await opened(await context.newPage(), '/how-it-works');
      await page.getByText(two.email).first().waitFor({ state: 'attached' });
      expect(await page.content()).not.toContain(one.email);
    });

    test('stored pages know it without a script, and no name', async () => {
      const page = await visitAs(market, people.seller, { ...wide, javaScriptEnabled: false });
      for (const path of ['/', '/how-it-works', `/shop/slot/${stall.slotId}`]) {
        await page.goto(at(path));
        expect([await account(page).isVisible(), await signUp(page).isVisible()]).toEqual([
          true,
          false,
        ]);
        const html = await page.content();
        expect(html).not.toContain(people.seller.email);
        expect(html).not.toContain('data-whose');
      }
      await page.context().clearCookies();
      await page.reload();
      expect([await account(page).isVisible(), await signUp(page).isVisible()]).toEqual([
        false,
        true,
      ]);
    });
  });
});

describe('every page', () => {
  test('keeps to itself what is the line’s fault, and the browser’s harmless notices', async () => {
    const page = await market.visit({ language: 'en' });
    const reports: string[] = [];
    await page.route('**/api/errors', (route) => {
      reports.push(route.request().postData() ?? '');
      return route.fulfill({ status: 202, json: {} });
    });
    await page.goto('/en/how-it-works');
    await page.evaluate(() => {
      for (const message of [
        'ResizeObserver loop completed with undelivered notifications.',
        'Failed to fetch',
        'NetworkError when attempting to fetch',
        'The last one',
      ])
        window.dispatchEvent(new ErrorEvent('error', { message }));
    });
    await expect.poll(() => reports.length).toBe(1);
    expect(reports[0]).toContain('The last one');
  });

  test('gets its pictures back with Try Again, where an island stood around what the server wrote', async () => {
    const page = await market.visit({ language: 'en' });
    await breakIslands(page);
    await page.goto(`/en/shop/${stall.slotId}/details`);
    const gallery = page.locator('astro-island[component-url*="/Gallery."]');
    await gallery.locator('.state--bad').waitFor();
    await page.evaluate(() => Object.assign(window, { broken: false }));
    await gallery
      .getByRole('button', { name: dictionaries.en.common.errorScreen.tryAgain })
      .click();
    await gallery.locator('.gallery__track img').first().waitFor();
  });
});
