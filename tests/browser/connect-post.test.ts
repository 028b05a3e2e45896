import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { hidePost } from '../../api/connect/hide.ts';
import { respond } from '../../api/connect/respond.ts';
import { setPostStatus } from '../../api/connect/toggle.ts';
import { addUpdate } from '../../api/connect/update.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { actors, type Person, signUpMember } from '../support/actors.ts';
import { balanceOf, grant } from '../support/credits.ts';
import { desktop, openMarket } from '../support/market.ts';
import { paidPost } from '../support/posts.ts';
import { answerWhatsApp, type Visited, visitAs } from '../support/visits.ts';
import { button, patient } from './people.ts';

const market = await openMarket();
const { admin } = await actors(market);
const named = 'Ownername Njoya';
let owner: Person;
beforeAll(async () => {
  owner = await signUpMember(market, { name: named, email: 'post.owner@example.test' });
});
const member = async (credits: number, name = 'Responder Tabi') => {
  const person = await signUpMember(market, { name });
  if (credits > 0) await grant(market, person, credits);
  return person;
};
const read = async (path: string, person?: Person) => {
  const response = await fetch(market.url + path, {
    redirect: 'manual',
    headers: { accept: 'text/html', ...(person ? { cookie: person.jar.header() } : {}) },
  });
  return {
    status: response.status,
    html: await response.text(),
    location: response.headers.get('location'),
  };
};
const answer = async (person: Person, reference: string) =>
  respond(await market.ctx(person), reference, randomUUID());
const dataIn = (html: string) =>
  JSON.parse(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? 'null');

describe('the page of a post, as the server writes it,', () => {
  test('has its words, share card and data, and neither number, name nor address of its owner', async () => {
    const reference = await paidPost(market, owner, {
      city: 'Douala',
      budgetMin: 5000,
      budgetMax: 15_000,
      tags: ['tap'],
    });
    // A text that escaped the input's cleaning must not end the block of data.
    await market.sql`update connect_posts set title = 'A plumber </script><b>now</b>' where reference = ${reference}`;
    await addUpdate(
      await market.ctx(await funded()),
      reference,
      { type: 'progress', message: 'Two have looked at it.' },
      randomUUID(),
    );
    for (const language of languages) {
      const say = dictionaries[language].connect;
      const { status, html } = await read(`/${language}/connect/${reference}`);
      expect(status).toBe(200);
      for (const words of [
        'My tap leaks.',
        say.categories.repairs,
        say.post.updates.types.progress,
        'Two have looked at it.',
        say.post.connect.price,
      ])
        expect(html).toContain(words);
      expect(html).not.toMatch(/noindex/);
      expect(html).toContain(
        `<link rel="canonical" href="${market.url}/${language}/connect/${reference}">`,
      );
      expect(html).toMatch(
        new RegExp(
          `og:image" content="${market.url}/media/cards/post-${reference}-${language}-[0-9a-f]{12}\\.jpg"`,
        ),
      );
      expect(html.replaceAll(/[\s.-]/g, '')).not.toContain('699445577');
      for (const personal of [named, owner.email, owner.userId])
        expect(html).not.toContain(personal);
      expect(dataIn(html)).toMatchObject({
        '@type': 'Demand',
        name: 'A plumber </script><b>now</b>',
        url: `${market.url}/${language}/connect/${reference}`,
        areaServed: 'Douala, Littoral',
        priceSpecification: { priceCurrency: 'XAF', minPrice: 5000, maxPrice: 15_000 },
      });
    }
    expect((await read(`/fr/connect/${reference.toUpperCase()}`)).location).toBe(
      `/fr/connect/${reference}`,
    );
  });

  test('is not found where there is none, and where it was taken down; its owner reads why', async () => {
    const reference = await paidPost(market, owner);
    await hidePost(await market.ctx(admin), reference, {
      reason: 'A private lesson',
      refund: false,
    });
    for (const path of ['zzzzzzzz', 'x', 'illegal0', reference]) {
      const { status, html } = await read(`/en/connect/${path}`);
      expect([status, html.includes('My tap leaks.')], path).toEqual([404, false]);
      expect(html).toContain(dictionaries.en.errors.connect.notFound);
      expect(html).toContain('noindex');
    }
    const own = await read(`/en/connect/${reference}`, owner);
    expect(own.status).toBe(200);
    for (const words of [dictionaries.en.connect.post.hidden.title, 'A private lesson', 'noindex'])
      expect(own.html).toContain(words);
    expect(own.html).not.toContain(dictionaries.en.connect.post.owner.pause);
  });

  test('says that it is closed: its words are for its owner and who responded, nobody finds it by a search engine', async () => {
    const reference = await paidPost(market, owner, { description: 'The words of a closed post.' });
    const responder = await member(1);
    await answer(responder, reference);
    await setPostStatus(await market.ctx(owner), reference, 'closed');
    const { closed } = dictionaries.fr.connect.post;
    for (const [person, words, readable] of [
      [undefined, closed.others, false],
      [responder, closed.responder, true],
      [owner, closed.owner, true],
    ] as const) {
      const { status, html } = await read(`/fr/connect/${reference}`, person);
      expect([
        status,
        html.includes(closed.title),
        html.includes(words),
        html.includes('The words of a closed post.'),
      ]).toEqual([200, true, true, readable]);
      expect(html).toContain('noindex');
      expect(dataIn(html)).toBeNull();
    }
  });

  test('names who responded to its owner alone, the newest first, with the views', async () => {
    const reference = await paidPost(market, owner);
    for (const name of ['First Responder', 'Second Responder']) {
      await answer(await member(1, name), reference);
      market.clock.advance({ minutes: 1 });
    }
    const own = (await read(`/en/connect/${reference}`, owner)).html;
    expect(own.indexOf('Second Responder')).toBeGreaterThan(0);
    expect(own.indexOf('First Responder')).toBeGreaterThan(own.indexOf('Second Responder'));
    expect(own).toContain('0 views');
    for (const person of [undefined, await member(0)]) {
      const { html } = await read(`/en/connect/${reference}`, person);
      expect(html).toContain('2 responses');
      expect(html).not.toMatch(/(First|Second) Responder|\d views?</);
    }
  });
});

/** The owner, with the credits for an update. */
async function funded(): Promise<Person> {
  await grant(market, owner, 2);
  return owner;
}

describe('the page of a post', () => {
  const language = 'en';
  const say = dictionaries[language].connect;
  const t = translator(language, 'connect');
  const at = (reference: string, query = '') => `/${language}/connect/${reference}${query}`;
  const connect = (page: Visited) => page.locator('#connect button.button--contact');

  test('a member pays once, WhatsApp opens in the tab of the tap, and again for free; a blocked tab leaves a link', async () => {
    const reference = await paidPost(market, owner);
    const person = await member(3);
    const page = await visitAs(market, person, { language });
    await answerWhatsApp(page);
    await page.goto(at(reference));
    await expect
      .poll(
        async () =>
          (
            await market.sql`select views from connect_figures f join connect_posts p on p.id = f.post_id where reference = ${reference}`
          )[0]?.views,
        patient,
      )
      .toBe(1);
    await page.getByText(t('post.connect.have', { count: 3 })).waitFor();
    const tapped = async () => {
      const [tab] = await Promise.all([page.waitForEvent('popup'), connect(page).click()]);
      await tab.waitForURL('https://wa.me/**');
      const link = new URL(tab.url());
      expect([link.pathname, link.searchParams.get('text')]).toEqual([
        '/237699445577',
        t('greeting', { title: 'A plumber for Saturday', reference }),
      ]);
      await tab.close();
    };
    await tapped();
    await page.getByText(say.post.connect.opened, { exact: true }).waitFor();
    await page.getByText(t('post.connect.openedText', { reference })).waitFor();
    await expect.poll(() => page.locator('[data-balance]').textContent()).toBe('2');
    await page.getByText(say.post.connect.againText).waitFor();
    await tapped();
    await page.reload();
    await page.getByText(say.post.connect.againText).waitFor();
    await page.evaluate(() => {
      window.open = () => null;
    });
    await connect(page).click();
    const link = page.getByRole('link', { name: say.post.connect.link });
    expect(await link.getAttribute('href')).toContain('https://wa.me/237699445577');
    expect(await balanceOf(market, person)).toBe(2);
    expect(page.errors).toEqual([]);
  });

  test('an answer that is lost twice is asked for again under the same key, and charged once', async () => {
    const reference = await paidPost(market, owner);
    const person = await member(2);
    const page = await visitAs(market, person, { language });
    const keys: (string | undefined)[] = [];
    await page.route('**/responses', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      await route.fetch();
      if (keys.length < 3) return route.abort();
      return route.fallback();
    });
    await page.goto(at(reference));
    await connect(page).click();
    await page.getByText(say.post.connect.failedText).waitFor();
    await page.getByText(say.post.connect.failed, { exact: true }).first().waitFor();
    await page.reload();
    await connect(page).click();
    await page.getByText(say.post.connect.opened, { exact: true }).waitFor();
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(await balanceOf(market, person)).toBe(1);
  });

  test('who has too few credits is told so, with the way to buy; a post without a number says so; nobody is charged', async () => {
    const page = await visitAs(market, await member(0), { language });
    await page.goto(at(await paidPost(market, owner)));
    await connect(page).click();
    await page.getByText(say.post.connect.short, { exact: true }).waitFor();
    await page.getByText(dictionaries[language].errors.credits.neededForResponse).waitFor();
    expect(
      await page
        .locator('#connect')
        .getByRole('link', { name: say.post.connect.buy })
        .getAttribute('href'),
    ).toBe('?buy');
    expect(page.context().pages()).toHaveLength(1);
    await page.goto(at(await paidPost(market, owner, { contactWhatsapp: undefined })));
    await page.getByText(say.post.connect.noNumber).waitFor();
    expect(await connect(page).count()).toBe(0);
  });

  test('a visitor reads everything without a script, and is led to sign in and back', async () => {
    const reference = await paidPost(market, owner);
    const page = await market.visit({ language, javaScriptEnabled: false, viewport: desktop });
    await page.goto(at(reference));
    await page.getByText('My tap leaks.').waitFor();
    await page.locator('#connect button.button--contact').click();
    const door = page.getByRole('dialog', { name: say.post.connect.authTitle });
    await door.getByText(say.post.connect.authText).waitFor();
    expect(await door.getByRole('link').getAttribute('href')).toBe(
      `/${language}/sign-in?next=${encodeURIComponent(at(reference))}`,
    );
    await door.getByRole('button').click();
    await page.locator('.report summary').click();
    await page.locator('.report select').selectOption('forbidden');
    await page.locator('.report [type=submit]').click();
    await page.getByText(say.post.report.sentText).waitFor();
    // With a script, sharing copies a link.
    const script = await market.visit({ language });
    await script.addInitScript(() =>
      Object.defineProperty(navigator, 'clipboard', { value: { writeText: async () => {} } }),
    );
    await script.goto(at(reference));
    await expect
      .poll(async () => {
        await script.locator('[data-share]').click({ noWaitAfter: true });
        return script.getByText(dictionaries[language].shop.share.copied).count();
      }, patient)
      .toBeGreaterThan(0);
  });

  test('its owner adds an update, closes it and opens it again; nothing that was typed is lost', async () => {
    const mine = await member(0, 'Owner of One');
    const reference = await paidPost(market, mine);
    const page = await visitAs(market, mine, { language });
    await page.goto(at(reference));
    await page.locator('.badge', { hasText: say.feed.yourPost }).waitFor();
    await page.getByRole('link', { name: say.update.action }).click();
    const dialog = page.getByRole('dialog');
    const text = dialog.locator('textarea');
    const send = dialog.getByRole('button', { name: say.update.send });
    await text.fill('Call me: 699 00 10 00');
    await send.click();
    await dialog.getByText(dictionaries[language].validation.phoneInText).waitFor();
    await text.fill('Two have looked at it.');
    await dialog.locator('select').selectOption('progress');
    await send.click();
    await dialog.getByText(dictionaries[language].errors.credits.neededForUpdate).waitFor();
    expect(await dialog.getByRole('link', { name: say.update.buy }).getAttribute('href')).toBe(
      '?buy',
    );

    await grant(market, mine, 5);
    await page.goto(at(reference, '?update'));
    await dialog.getByText(t('update.have', { count: 5 })).waitFor();
    expect([await text.inputValue(), await dialog.locator('select').inputValue()]).toEqual([
      'Two have looked at it.',
      'progress',
    ]);
    let lost = 0;
    await page.route('**/updates', async (route) => {
      await route.fetch();
      lost++;
      return route.abort();
    });
    await send.click();
    await dialog.getByText(say.update.failed).waitFor();
    await page.unroute('**/updates');
    await send.click();
    await page.getByText(say.update.done, { exact: true }).waitFor();
    await page.locator('.post__updates').getByText('Two have looked at it.').waitFor();
    expect([
      lost,
      await balanceOf(market, mine),
      await page.locator('.post__updates li').count(),
    ]).toEqual([2, 3, 1]);
    expect(new URL(page.url()).search).toBe('');

    await button(page, say.post.owner.pause).click();
    await page.getByText(say.post.owner.closed, { exact: true }).waitFor();
    await page.getByText(say.post.closed.owner).waitFor();
    // A closed post allows no update, by the button or by its address.
    await page.goto(at(reference, '?update'));
    await button(page, say.post.owner.activate).waitFor();
    expect(await page.getByRole('link', { name: say.update.action }).count()).toBe(0);
    expect(await dialog.count()).toBe(0);
    await page.route('**/status', (route) => route.fulfill({ status: 500, json: {} }));
    await button(page, say.post.owner.activate).click();
    await page.getByText(say.post.owner.failed, { exact: true }).waitFor();
    await page.unroute('**/status');
    await button(page, say.post.owner.activate).click();
    await page.getByText(say.post.owner.activated, { exact: true }).waitFor();
    await button(page, say.post.owner.pause).waitFor();
    expect(page.errors).toEqual([]);
  });
});
