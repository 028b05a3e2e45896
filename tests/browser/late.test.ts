import { expect, test } from 'vitest';
import { changeDraft } from '../../api/drafts/changeDraft.ts';
import { ownDraft } from '../../api/drafts/draft.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { signInAdmin, signUpMember, signUpSeller } from '../support/actors.ts';
import { breakIslands } from '../support/islands.ts';
import { openMarket } from '../support/market.ts';
import { live } from '../support/products.ts';
import { hold } from '../support/requests.ts';
import { visitAs } from '../support/visits.ts';
import { button, patient } from './people.ts';

/** Late answers on a slow connection neither mix with input nor replace it. */
const market = await openMarket();
const say = dictionaries.en.seller;

test('a profile that arrives under the caret gives way to what is typed', async () => {
  const person = await signUpMember(market, { name: 'Ngono' });
  const page = await visitAs(market, person, { language: 'en' });
  const arrive = await hold(page, '**/api/auth/me');
  await page.goto('/en/seller/dashboard');
  await expect.poll(() => button(page, say.profile.save).isEnabled(), patient).toBe(true);
  const name = page.locator('input[name=name]');
  await name.focus();
  await arrive();
  await expect.poll(() => name.inputValue(), patient).toBe('Ngono');
  await page.keyboard.type('Mama Ngono');
  expect(await name.inputValue()).toBe('Mama Ngono');
});

test('nor does it join what is typed in the wizard, where the draft was left at the seller', async () => {
  const person = await signUpSeller(market, { name: 'Fotso' });
  const page = await visitAs(market, person, { language: 'en' });
  await page.goto('/en/seller/products/upload');
  const field = (name: string) => page.locator(`[name="${name}"]`);
  await field('name.en').fill('Raffia hat');
  const kept = () =>
    page.evaluate(() =>
      Object.entries(localStorage).find(([key]) => key.startsWith('marche54.draft.seller')),
    );
  // Kept in the account too, as when the tab is left: a save under way would be taken for another
  // device's.
  const leaveTab = () =>
    page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
  await expect
    .poll(() => leaveTab().then(async () => (await kept())?.[1]), patient)
    .toMatch(/"seen":"\d/);
  await page.goto('/en/how-it-works');
  const [place = '', draft = ''] = (await kept()) ?? [];
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
    place,
    draft.replace('"step":0', '"step":3'),
  ] as const);
  const arrive = await hold(page, '**/api/auth/me');
  await page.goto('/en/seller/products/upload');
  await field('sellerName').focus();
  await arrive();
  await expect.poll(() => field('sellerName').inputValue(), patient).toBe('Fotso');
  await page.keyboard.type('Fotso and Sons');
  expect(await field('sellerName').inputValue()).toBe('Fotso and Sons');
});

test('the account’s own draft, whose answer was lost, is no change of somebody else’s; what a chat was told stays told', async () => {
  const person = await signUpSeller(market);
  // The first kind of slot is also an empty form's default.
  await changeDraft(await market.ctx(person), {
    answers: { 'name.en': 'Raffia hat', listingType: 'standard' },
  });
  const page = await visitAs(market, person, { language: 'en' });
  const field = (name: string) => page.locator(`[name="${name}"]`);
  const draft = async () => (await ownDraft(await market.ctx(person))).draft?.answers;
  await page.goto('/en/seller/products/upload');
  await expect.poll(() => field('name.en').inputValue(), patient).toBe('Raffia hat');
  // The write arrives; its answer does not.
  await page.route('**/api/drafts', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    await route.fetch();
    await route.abort();
  });
  await field('description.en').fill('Woven by hand, for the sun.');
  await field('category').selectOption('fashion');
  await button(page, say.wizard.actions.next).click();
  await expect.poll(async () => (await draft())?.category, patient).toBe('fashion');
  expect(await draft()).toEqual({
    'name.en': 'Raffia hat',
    'description.en': 'Woven by hand, for the sun.',
    category: 'fashion',
    listingType: 'standard',
  });
  await page.unroute('**/api/drafts');
  await page.reload();
  await field('price').fill('4500');
  await button(page, say.wizard.actions.next).click();
  await expect.poll(async () => (await draft())?.price, patient).toBe('4500');
  const elsewhere =
    translator('en', 'seller')('wizard.draftElsewhere', { date: '' }).split('.')[0] ?? '';
  expect(await page.getByText(elsewhere, { exact: false }).count()).toBe(0);
});

test('an island whose error screen does not arrive leaves what the server wrote, and the page says that a part is missing', async () => {
  const { slotId } = await live(market, await signUpSeller(market), await signInAdmin(market));
  const page = await market.visit({ language: 'en' });
  await breakIslands(page);
  await page.route(/\/_astro\/ErrorScreen\.[^/]*js/, (route) => route.abort());
  await page.goto(`/en/shop/${slotId}/details`);
  await page.locator('astro-island[component-url*="/Gallery."]:not([ssr]) img').first().waitFor();
  await page.goto('/en/seller/auth');
  const note = page.getByRole('alert').filter({ hasText: dictionaries.en.common.states.retry });
  await note.getByRole('link', { name: dictionaries.en.common.errorScreen.tryAgain }).waitFor();
});
