import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { publishPost } from '../../api/connect/publish.ts';
import { readPost } from '../../api/connect/reads.ts';
import { newPost } from '../../api/connect/schema.ts';
import { schema } from '../../db/client.ts';
import { dictionaries } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import { accountActions } from '../support/account.ts';
import { actors, signUpMember, signUpSeller } from '../support/actors.ts';
import { grant } from '../support/credits.ts';
import { openMarket } from '../support/market.ts';
import { live, slotOf } from '../support/products.ts';
import { expectUsable, visitAs } from '../support/visits.ts';
import { filesInZip, textInZip } from '../support/zip.ts';

const market = await openMarket();
const { googleAlone, sessionsOf } = accountActions(market);
const { admin, suspendedSeller } = await actors(market);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const said = (page: Page, sentence: string) => page.getByText(sentence).first().waitFor();
/** The same button once the page's script listens. */
const awake = (page: Page, name: string) =>
  page.locator('button:enabled', { hasText: name }).first();
const inDialog = (page: Page) => page.locator('dialog[open]');
/** A sentence up to its first placeholder. */
const start = (sentence: string) => sentence.replace(/\{\{.*/, '').trim();

async function askWithPassword(
  page: Page,
  language: Language,
  open: string,
  password: string,
  confirm: string,
): Promise<void> {
  // By keyboard: a toast over the page's last button stays while the mouse rests on it.
  await awake(page, open).press('Enter');
  const dialog = inDialog(page);
  await dialog.getByLabel(dictionaries[language].account.proof.password).fill(password);
  await dialog.getByRole('button', { name: confirm, exact: true }).click();
}

describe('one’s own account', () => {
  const language = 'en';
  const say = dictionaries[language].account;

  test('name, other sessions, a download, the deletion and a change of mind, without an agreement; then the agreement', async () => {
    const person = await signUpSeller(market, { language });
    const { id } = await live(market, person, admin);
    await grant(market, person, 7);
    const { reference } = await publishPost(
      await market.ctx(person),
      newPost.parse({ title: 'Tap', description: 'Leaks.', category: 'repairs' }),
      randomUUID(),
    );
    await market.db
      .update(schema.user)
      .set({ agreedTo: '0' })
      .where(eq(schema.user.id, person.userId));
    const elsewhere = market.visitor();
    await market.call('/api/auth/sign-in', {
      json: { email: person.email, password: person.password },
      as: elsewhere,
      address: person.email,
      language,
    });
    const page = await visitAs(market, person, { language });
    await page.goto(`/${language}/account`);
    await page.locator('.own__facts').getByText(person.email).waitFor();
    await said(page, dictionaries[language].legal.agreement.ask);

    await page.locator('[name=name]').fill('Rose Atangana');
    await button(page, say.you.save).click();
    await said(page, say.you.saved);
    expect(await page.locator('[name=name]').inputValue()).toBe('Rose Atangana');

    await button(page, say.sessions.endOthers).click();
    await said(page, say.sessions.alone);
    expect(await sessionsOf(person)).toHaveLength(1);
    expect((await market.request('/api/account', { as: elsewhere })).status).toBe(401);

    await awake(page, say.data.download).press('Enter');
    await inDialog(page).getByRole('button', { name: say.data.download, exact: true }).click();
    await inDialog(page).locator('[aria-invalid=true]').waitFor();
    await page.keyboard.press('Escape');
    // Until the dialog is gone, nothing behind it takes the key.
    await inDialog(page).waitFor({ state: 'hidden' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      askWithPassword(page, language, say.data.download, person.password, say.data.download),
    ]);
    expect(download.suggestedFilename()).toMatch(/^marche54-\d{4}-\d\d-\d\d\.zip$/);
    const files = filesInZip(new Uint8Array(await readFile(await download.path())));
    expect(JSON.parse(textInZip(files, 'data.json')).data.account).toMatchObject([
      { name: 'Rose Atangana', email: person.email },
    ]);
    expect([...files.keys()].filter((name) => name.startsWith('pictures/'))).toHaveLength(1);

    await askWithPassword(page, language, say.delete.button, 'not this one', say.delete.confirm);
    await said(page, dictionaries[language].errors.auth.passwordWrong);
    for (const sentence of [
      say.delete.listings_one,
      say.delete.posts_one,
      say.delete.credits_other.replace('{{count}}', '5'),
    ])
      await inDialog(page).getByText(sentence, { exact: true }).waitFor();
    await inDialog(page).getByLabel(say.proof.password).fill(person.password);
    await inDialog(page).getByRole('button', { name: say.delete.confirm, exact: true }).click();
    await button(page, say.leaving.keep).waitFor();
    for (const sentence of [say.leaving.listings_one, say.leaving.posts_one])
      await said(page, sentence);
    expect((await readPost(await market.ctx(), reference)).closed).toBe(true);
    expect(await slotOf(market, id)).toBeUndefined();
    expect((await market.letterTo(person.email)).text).toContain(`/${language}/account`);
    await page.goto(`/${language}/seller/dashboard`);
    await said(page, start(say.leaving.title));
    for (const sentence of [say.leaving.listings_one, say.leaving.posts_one])
      await said(page, sentence);
    await expectUsable(page);
    await page.getByRole('link', { name: say.leaving.toAccount, exact: true }).click();

    await button(page, say.leaving.keep).click();
    await said(page, say.leaving.kept);
    await button(page, say.delete.button).waitFor();
    expect((await readPost(await market.ctx(), reference)).closed).toBe(false);
    const [row] = await market.db
      .select()
      .from(schema.sellers)
      .where(eq(schema.sellers.userId, person.userId));
    expect(row?.leavingAt).toBeNull();

    const { agreement } = dictionaries.fr.legal;
    await page.goto('/fr/account');
    await said(page, agreement.ask);
    await expectUsable(page);
    await button(page, agreement.agree).click();
    await said(page, start(dictionaries.fr.account.data.agreed));
    expect(await page.getByText(agreement.ask).count()).toBe(0);
    expect(page.errors).toEqual([]);
  });

  test('leads whoever is not signed in to the sign-in and back, and an account without a password to a sign-in anew', async () => {
    const person = await signUpMember(market, { language });
    await googleAlone(person, 11);
    const page = await visitAs(market, person, { language });
    await page.goto(`/${language}/account`);
    await said(page, start(say.password.none));
    await button(page, say.delete.button).click();
    await said(page, say.proof.again);
    await inDialog(page).getByRole('button', { name: say.proof.signInAgain, exact: true }).click();
    await page.waitForURL(/sign-in\?next=/);
    expect(decodeURIComponent(page.url())).toContain('/account');
    await page.goto(`/${language}/account`);
    await page.waitForURL(/sign-in\?next=/);
    expect(page.errors).toEqual([]);
  });

  test('is there for admins, with their menu, and for suspended sellers, from their screen', async () => {
    const ofAdmin = await visitAs(market, admin, { language });
    await ofAdmin.goto(`/${language}/account`);
    await ofAdmin.getByRole('link', { name: say.selling.toFactor, exact: true }).waitFor();
    expect(await ofAdmin.locator(`a[href="/${language}/admin/queue"]`).count()).toBeGreaterThan(0);
    await askWithPassword(ofAdmin, language, say.delete.button, admin.password, say.delete.confirm);
    await said(ofAdmin, dictionaries[language].errors.account.lastAdmin);
    const shut = await visitAs(market, suspendedSeller, { language });
    await shut.goto(`/${language}/seller/dashboard`);
    await shut.getByRole('link', { name: say.title, exact: true }).click();
    await button(shut, say.delete.button).waitFor();
    expect([...ofAdmin.errors, ...shut.errors]).toEqual([]);
  });
});
