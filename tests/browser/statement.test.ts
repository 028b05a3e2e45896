import { beforeAll, expect, test } from 'vitest';
import { correctCredits } from '../../api/credits/correct.ts';
import { buyCredits } from '../../api/payments/buy.ts';
import { settlePurchase } from '../../api/payments/settle.ts';
import { type Person, signInAdmin, signUpMember } from '../support/actors.ts';
import { grant, pay } from '../support/credits.ts';
import { openMarket } from '../support/market.ts';
import { endless } from '../support/names.ts';
import { paidPost } from '../support/posts.ts';
import { expectUsable, type Visited, visitAs } from '../support/visits.ts';
import { englishOn } from '../support/wording.ts';

const market = await openMarket();
const title = 'Find a plumber for two leaking taps in Bonapriso';
let member: Person;
beforeAll(async () => {
  member = await signUpMember(market);
  await grant(market, member, 20);
  const ctx = await market.ctx(member);
  await paidPost(market, member, { title });
  for (let n = 0; n < 8; n++) await pay(ctx, 'response');
  await buyCredits(ctx, 'cash_partner', crypto.randomUUID());
});

/** Its words are the longer ones. */
const language = 'fr';

test('a statement on a phone has one or two lines an entry', async () => {
  const page = await visitAs(market, member, { language });
  await page.goto(`/${language}/connect/credits`);
  const rows = page.locator('section[aria-labelledby=entries] tbody tr');
  expect(await rows.count()).toBeGreaterThan(9);
  // Two lines and padding; a reason, or a sentence on a deleted post, may take one more. A title
  // is cut.
  for (const row of await rows.all())
    expect((await row.boundingBox())?.height, await row.innerText()).toBeLessThanOrEqual(96);
  expect((await rows.filter({ hasText: title }).boundingBox())?.height).toBeLessThanOrEqual(72);
  // A pending purchase also shows its state and how to pay.
  for (const row of await page.locator('section[aria-labelledby=purchases] tbody tr').all())
    expect((await row.boundingBox())?.height, await row.innerText()).toBeLessThanOrEqual(128);
  await expectUsable(page, 'main');
  await page.goto(`/${language}/connect/credits?buy`);
  await page.locator('dialog[open] [name=method]').first().waitFor();
  await expectUsable(page);
  expect(await englishOn(page)).toEqual([]);
  expect(page.errors).toEqual([]);
});

/** The section's width, and that of its table, which is at least the width of its longest word. */
const widths = (page: Visited, section: string) =>
  page.evaluate((name) => {
    const box = document.querySelector(`section[aria-labelledby=${name}]`);
    return [box?.clientWidth ?? 0, box?.querySelector('table')?.scrollWidth ?? Infinity];
  }, section);

test('a statement with texts of maximal length fits every screen', async () => {
  const long = await signUpMember(market);
  const admin = await market.ctx(await signInAdmin(market));
  const ctx = await market.ctx(long);
  await paidPost(market, long, { title: endless(100) });
  const correction = { userId: long.userId, amount: 1, reason: endless(300) };
  await correctCredits(admin, correction, crypto.randomUUID());
  const { id } = await buyCredits(ctx, 'cash_partner', crypto.randomUUID());
  await settlePurchase(admin, id, endless(98) + language);
  const page = await visitAs(market, long, { language });
  await page.goto(`/${language}/connect/credits`);
  for (const width of [320, 720, 800, 960, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expectUsable(page, 'main');
    for (const section of ['entries', 'purchases']) {
      const [room = 0, table] = await widths(page, section);
      expect(table, `${section} at ${width}`).toBeLessThanOrEqual(room);
    }
    if (width < 720) continue;
    // A long text must not squeeze the other columns to a letter a line.
    for (const cell of await page.locator('.statement time').all())
      expect((await cell.boundingBox())?.height, `a date at ${width}`).toBeLessThan(70);
  }
});
