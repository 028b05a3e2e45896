import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { phoneText } from '../../api/shared/contact/readPhone.ts';
import { schema } from '../../db/client.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { type Person, signInAdmin, signUpSeller } from '../support/actors.ts';
import { sturdy } from '../support/database.ts';
import { openMarket } from '../support/market.ts';
import { live, slotOf } from '../support/products.ts';
import { visitAs } from '../support/visits.ts';
import { button, expectNoSidewaysScroll, patient } from './people.ts';

const market = await openMarket();
const admin = await signInAdmin(market, { name: 'Mireille' });
const _list = /\/api\/admin\/sellers\?/;
const rowOf = async ({ sellerId }: Person) =>
  (
    await market.db
      .select()
      .from(schema.sellers)
      .where(eq(schema.sellers.id, sellerId ?? ''))
  )[0];

// Must run first, while there is none.
describe('the seller management', () => {
  const language = 'en';
  const say = dictionaries[language];
  const t = translator(language, 'admin');
  const act = (
    name: keyof typeof say.admin.users &
      ('verify' | 'unverify' | 'suspend' | 'unsuspend' | 'delete' | 'notify'),
    who: string,
  ) => `${say.admin.users[name]}: ${who}`;

  test('finds sellers by name or email, and keeps the search in the address', async () => {
    const tag = language + Math.random().toString(36).slice(2, 6);
    const one = await signUpSeller(market, { name: `Abena ${tag}`, language });
    await signUpSeller(market, { name: `Bouba ${tag}`, language });
    const page = await visitAs(market, admin, { language });
    await page.goto(`/${language}/admin/users`);
    await page.getByText(`Bouba ${tag}`).waitFor();
    // A new sign-up appears without a reload.
    await signUpSeller(market, { name: `Chantal ${tag}`, language });
    await page.getByText(`Chantal ${tag}`).waitFor();
    const search = page.getByRole('searchbox', { name: say.admin.users.search });
    await search.fill(`abena ${tag.toUpperCase()}`);
    await page.waitForURL(`**/admin/users?search=abena+${tag.toUpperCase()}`);
    await page.getByText(t('users.count', { count: 1 }), { exact: true }).waitFor();
    await expect.poll(() => page.getByText(`Bouba ${tag}`).count(), patient).toBe(0);
    await search.fill(one.email.toUpperCase());
    await page.waitForURL(`**/admin/users?search=${encodeURIComponent(one.email.toUpperCase())}`);
    await page.getByText(t('users.count', { count: 1 }), { exact: true }).waitFor();
    await page.reload();
    await page.getByText(`Abena ${tag}`).waitFor();
    expect(await search.inputValue()).toBe(one.email.toUpperCase());
    await search.fill('nobody at all');
    await page.getByText(t('users.noMatch', { query: 'nobody at all' })).waitFor();
    expect(page.errors).toEqual([]);
  });

  test('verifies, suspends with a reason and lifts it; the seller feels it at the next request', async () => {
    const person = await signUpSeller(market, { name: `Essomba ${language}`, language });
    const { id } = await live(market, person, admin);
    const page = await visitAs(market, admin, { language });
    await page.goto(`/${language}/admin/users?search=${person.email}`);
    await button(page, act('verify', person.name)).click();
    await page
      .getByText(t('users.verifyDialog.text', { number: phoneText(person.whatsapp) }))
      .waitFor();
    await button(page, say.admin.users.verifyDialog.submit).click();
    await page.getByText(say.admin.users.verifiedOk).first().waitFor();
    await page.getByText(say.admin.users.verifiedBy.admin).waitFor();

    await button(page, act('suspend', person.name)).click();
    await button(page, say.admin.users.suspendDialog.submit).click();
    await page.getByText(say.admin.users.suspendDialog.reasonRequired).waitFor();
    const reason = page.getByRole('textbox', { name: say.admin.users.suspendDialog.reason });
    await reason.fill('Fake shoes');
    await page.getByText('10/500').first().waitFor();
    // On a broken connection the dialog says so and keeps the reason.
    await page.context().setOffline(true);
    await button(page, say.admin.users.suspendDialog.submit).click();
    await page.getByText(say.admin.users.suspendFailed).first().waitFor();
    expect(await reason.inputValue()).toBe('Fake shoes');
    expect((await rowOf(person))?.suspended).toBe(false);
    await page.context().setOffline(false);
    await button(page, say.admin.users.suspendDialog.submit).click();
    await page.getByText(say.admin.users.suspendedOk).first().waitFor();
    await page.getByText(t('users.suspendedReason', { reason: 'Fake shoes' })).waitFor();
    expect((await slotOf(market, id))?.pausedBy).toBe('suspension');

    const seller = await visitAs(market, person, { language });
    for (const path of ['/seller/dashboard', '/seller/upload']) {
      await seller.goto(`/${language}${path}`);
      await seller.getByText(say.seller.suspended.title).first().waitFor();
      expect(await seller.getByText(say.seller.dashboard.totalProducts).count()).toBe(0);
    }

    // By keyboard, here and below: on a phone's screen a toast may briefly cover the button.
    await button(page, act('unsuspend', person.name)).press('Enter');
    await page.context().setOffline(true);
    await button(page, say.admin.users.unsuspendDialog.submit).click();
    await page.getByText(say.admin.users.unsuspendFailed).first().waitFor();
    await page.context().setOffline(false);
    await button(page, say.admin.users.unsuspendDialog.submit).click();
    await page.getByText(say.admin.users.unsuspendedOk).first().waitFor();
    await seller.goto(`/${language}/seller/dashboard`);
    await seller.getByText(say.seller.dashboard.totalProducts).waitFor();

    await button(page, act('unverify', person.name)).press('Enter');
    await button(page, say.admin.users.unverifyDialog.submit).click();
    await page.getByText(say.admin.users.unverifiedOk).first().waitFor();
    // Another admin's change appears without a reload.
    await sturdy(() =>
      market.db
        .update(schema.sellers)
        .set({
          verified: true,
          verifiedBy: 'chat',
          verifiedAt: market.clock.now(),
          verifiedWhatsapp: person.whatsapp,
        })
        .where(eq(schema.sellers.id, person.sellerId ?? '')),
    );
    await page.getByText(say.admin.users.verifiedBy.chat).waitFor();
    await expectNoSidewaysScroll(page);
    expect(page.errors).toEqual([]);
  });

  test('sends a notification, which counts as sent when a channel has accepted it', async () => {
    const person = await signUpSeller(market, { name: `Fouda ${language}`, language });
    const page = await visitAs(market, admin, { language });
    await page.goto(`/${language}/admin/users?search=${person.email}`);
    const write = async () => {
      await button(page, act('notify', person.name)).press('Enter');
      const send = button(page, say.admin.users.notifyDialog.submit);
      await expect.poll(() => send.isDisabled(), patient).toBe(true);
      await page
        .getByRole('textbox', { name: say.admin.users.notifyDialog.subject })
        .fill('Photos');
      await expect.poll(() => send.isDisabled(), patient).toBe(true);
      await page
        .getByRole('textbox', { name: say.admin.users.notifyDialog.message })
        .fill('Please take them again.');
      return send;
    };
    let send = await write();
    await page.context().setOffline(true);
    await send.click();
    await page.getByText(say.admin.users.notifyFailed).first().waitFor();
    expect(
      await page.getByRole('textbox', { name: say.admin.users.notifyDialog.subject }).inputValue(),
    ).toBe('Photos');
    await page.context().setOffline(false);
    await send.click();
    await page.getByText(say.admin.users.delivery.waiting).waitFor();
    expect(await page.getByText(say.admin.users.notifiedOk).count()).toBe(0);
    await market.runNow('deliver-outbox');
    await page.getByText(say.admin.users.notifiedOk).first().waitFor();
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    expect((await market.letterTo(person.email)).text).toContain('Please take them again.');

    // Finally refused by the mail server.
    send = await write();
    await send.click();
    await page.getByText(say.admin.users.delivery.waiting).waitFor();
    market.mails.refuse('the mail server is away');
    const start = market.clock.now();
    for (let attempt = 0; attempt < 8; attempt++) {
      await market.runNow('deliver-outbox');
      market.clock.advance({ hours: 2 });
    }
    market.mails.refuse();
    market.clock.set(start);
    await page.locator('dialog[open]').getByText(say.admin.users.notifyFailed).waitFor();
    expect(page.errors).toEqual([]);
  });

  test('deletes a seller for good, whose sessions end and whose address an admin can let in again', async () => {
    const person = await signUpSeller(market, { name: `Gustave Ékani ${language}`, language });
    await live(market, person, admin);
    const seller = await visitAs(market, person, { language });
    await seller.goto(`/${language}/seller/dashboard`);
    await seller.getByText(say.seller.dashboard.totalProducts).waitFor();
    const page = await visitAs(market, admin, { language });
    await page.goto(`/${language}/admin/users?search=${person.email}`);
    await button(page, act('delete', person.name)).click();
    await page.getByText(t('users.deleteDialog.text', { count: 1 })).waitFor();
    const typed = page.getByRole('textbox', { name: say.admin.users.deleteDialog.typeName });
    await typed.fill('somebody');
    await button(page, say.admin.users.deleteDialog.submit).click();
    await page.getByText(t('users.deleteMatch', { name: person.name })).waitFor();
    await typed.fill(`gustave  ékani ${language}`);
    await page.context().setOffline(true);
    await button(page, say.admin.users.deleteDialog.submit).click();
    await page.getByText(say.admin.users.deleteFailed).first().waitFor();
    expect(await rowOf(person)).toBeDefined();
    await page.context().setOffline(false);
    await button(page, say.admin.users.deleteDialog.submit).click();
    await page.getByText(say.admin.users.deletedOk).first().waitFor();
    await page.getByText(t('users.noMatch', { query: person.email })).waitFor();
    await seller.goto(`/${language}/seller/dashboard`);
    await seller.waitForURL('**/seller/auth*');

    await page.getByRole('tab', { name: say.admin.users.sections.barred }).click();
    await button(page, `${say.admin.users.barred.unbar}: ${person.email}`).click();
    await button(page, say.admin.users.barred.unbar).click();
    await page.getByText(say.admin.users.barred.unbarred).first().waitFor();
    await page.getByText(say.admin.users.barred.empty).waitFor();
    expect(page.errors).toEqual([]);
  });
});
