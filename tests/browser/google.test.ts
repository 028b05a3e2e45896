import { describe, expect, test } from 'vitest';
import { dictionaries } from '../../locales/index.ts';
import { signUpMember } from '../support/actors.ts';
import { openMarket } from '../support/market.ts';
import { visitAs } from '../support/visits.ts';

/** Uses the demo's provider; everything except Google itself is real. */
const market = await openMarket({ DEMO: '1' });

describe('continuing with Google', () => {
  const language = 'en';
  const { seller, errors, common } = dictionaries[language];
  const words = common.demo.signIn;

  test('joins, comes back to the very page, and is the same person the next time', async () => {
    const page = await market.visit({ language });
    const wanted = `/${language}/how-it-works`;
    const email = `google-${language}@example.test`;
    const pass = async () => {
      await page.goto(`/${language}/sign-in?next=${encodeURIComponent(wanted)}`);
      await page.getByRole('link', { name: seller.auth.google }).click();
      await page.getByRole('heading', { level: 1, name: words.title }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/${language}/demo/sign-in`);
      await page.getByLabel(words.email).fill(email);
      await page.getByLabel(words.name).fill('Amina');
      await page.getByRole('button', { name: words.continue }).click();
      await page.waitForURL(`**${wanted}`);
    };
    await pass();
    expect(await (await page.request.get('/api/auth/me')).json()).toMatchObject({
      role: 'member',
      email,
      name: 'Amina',
    });
    await page.request.post('/api/auth/sign-out', { headers: { origin: market.env.publicUrl } });
    await pass();
    expect(await (await page.request.get('/api/auth/me')).json()).toMatchObject({ email });
    expect(page.errors).toEqual([]);
  });

  test('opens the account that a password made', async () => {
    const member = await signUpMember(market, { language });
    const page = await market.visit({ language });
    await page.goto(`/${language}/seller/auth`);
    await page.getByRole('link', { name: seller.auth.google }).click();
    await page.getByLabel(words.email).fill(member.email);
    await page.getByLabel(words.name).fill('As Google has it');
    await page.getByRole('button', { name: words.continue }).click();
    await page.waitForURL(`**/${language}/seller/dashboard`);
    expect(await (await page.request.get('/api/auth/me')).json()).toMatchObject({
      email: member.email,
      name: member.name,
    });
  });

  test('is connected and let go again on the account page, for the same address alone', async () => {
    const member = await signUpMember(market, { language });
    const page = await visitAs(market, member, { language });
    const say = dictionaries[language].account.signIns;
    const connectAs = async (email: string) => {
      await page.goto(`/${language}/account`);
      await page.getByRole('link', { name: say.connect }).click();
      await page.getByLabel(words.email).fill(email);
      await page.getByLabel(words.name).fill('Somebody');
      await page.getByRole('button', { name: words.continue }).click();
      await page.waitForURL(`**/${language}/account*`);
    };
    await connectAs('somebody.else@example.test');
    await page.getByText(errors.auth.otherAddress).waitFor();
    await connectAs(member.email);
    await page.getByRole('button', { name: say.disconnect }).click();
    await page
      .locator('dialog[open]')
      .getByLabel(dictionaries[language].account.proof.password)
      .fill(member.password);
    await page.locator('dialog[open]').getByRole('button', { name: say.disconnect }).click();
    await page.getByText(say.disconnected).first().waitFor();
    await page.getByRole('link', { name: say.connect }).waitFor();
    expect(page.errors).toEqual([]);
  });

  test('is let go of, and says what to do: the sign-in page still knows where one was going', async () => {
    const page = await market.visit({ language });
    await page.goto(`/${language}/sign-in?next=/${language}/how-it-works`);
    await page.getByRole('link', { name: seller.auth.google }).click();
    await page.getByRole('button', { name: words.cancel }).click();
    await page.getByText(errors.auth.providerDenied).waitFor();
    const again = page.getByRole('link', { name: seller.auth.google });
    expect(await again.getAttribute('href')).toContain(
      encodeURIComponent(`/${language}/how-it-works`),
    );
    await again.click();
    await page.getByLabel(words.email).fill('nobody@example.test');
    await page.getByLabel(words.name).fill('Nobody');
    await page.getByLabel(words.proven).uncheck();
    await page.getByRole('button', { name: words.continue }).click();
    await page.getByText(errors.auth.providerUnproven).waitFor();
  });
});

test('without a script the button works too', async () => {
  const page = await market.visit({ language: 'en', javaScriptEnabled: false });
  await page.goto('/en/sign-in');
  await page.getByRole('link', { name: dictionaries.en.seller.auth.google }).click();
  await page.getByLabel('Email').fill('plain@example.test');
  await page.getByLabel('Name').fill('Plain');
  await page.getByRole('button', { name: 'Continue' }).click();
  expect(await (await page.request.get('/api/auth/me')).json()).toMatchObject({
    email: 'plain@example.test',
  });
});
