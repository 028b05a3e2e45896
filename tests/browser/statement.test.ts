import { beforeAll, expect, test } from 'vitest';
import { buyCredits } from '../../api/payments/buy.ts';
import { languages } from '../../locales/languages.ts';
import { type Person, signUpMember } from '../support/actors.ts';
import { grant, pay } from '../support/credits.ts';
import { openMarket } from '../support/market.ts';
import { paidPost } from '../support/posts.ts';
import { expectUsable, visitAs } from '../support/visits.ts';
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

test.each([...languages])(
  'a statement on a phone has one or two lines an entry, in %s',
  async (language) => {
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
    await expectUsable(page, language, 'main');
    await page.goto(`/${language}/connect/credits?buy`);
    await page.locator('dialog[open] [name=method]').first().waitFor();
    await expectUsable(page, language);
    if (language === 'fr') expect(await englishOn(page)).toEqual([]);
    expect(page.errors).toEqual([]);
  },
);
