import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { restoreBackup } from '../../api/backup/restore.ts';
import { writeBackup } from '../../api/backup/write.ts';
import { publishPost } from '../../api/connect/publish.ts';
import { diskStorage } from '../../api/ops/storage.ts';
import { connect } from '../../db/client.ts';
import { dictionaries } from '../../locales/index.ts';
import { signInAdmin, signUpMember, signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { grant } from '../support/credits.ts';
import { freshDatabase } from '../support/database.ts';
import { openMarket } from '../support/market.ts';
import { draft, live, submitted } from '../support/products.ts';
import { answerWhatsApp, type Visited } from '../support/visits.ts';
import { button } from './people.ts';

/** A backup taken while people write restores to a working market elsewhere (decision 052). */
const base = mkdtempSync(join(tmpdir(), 'marche54-restored-'));
const [file, folder] = [join(base, 'market.tar'), join(base, 'photos')];
const before = await testApp({
  now: new Date(),
  storage: diskStorage(join(base, 'photos-before')),
});
const [seller, member, admin] = await Promise.all([
  signUpSeller(before),
  signUpMember(before),
  signInAdmin(before),
]);
const database = await freshDatabase({ empty: true });
await copyUnderLoad();
// A restore needs the only connection; the market's own come later.
const { sql, close } = connect(database.target, { max: 2 });
await restoreBackup({ client: sql, storage: diskStorage(folder), key: undefined }, file, {
  replace: false,
}).finally(close);
const market = await openMarket({}, { database, folder });
afterAll(() => rmSync(base, { recursive: true, force: true }));

async function copyUnderLoad(): Promise<void> {
  await live(before, seller, admin);
  await grant(before, member, 200);
  let over = false;
  const write = async () => {
    for (let n = 0; !over; n++) {
      const post = {
        title: `Request ${n}`,
        description: 'Somebody who mends bicycles.',
        category: 'other' as const,
        tags: ['x'],
      };
      await publishPost(await before.ctx(member), post, randomUUID());
      if (n < 3) await submitted(before, seller);
    }
  };
  const writers = [write(), write()];
  while ((await before.sql`select from connect_posts`).length < 6) await pause(5);
  await writeBackup(before.job('back-up'), file);
  over = true;
  await Promise.all(writers);
}

/** Its first photo was loaded and decoded. */
async function expectPicture(page: Visited, within: string): Promise<void> {
  const picture = page.locator(`${within} img`).first();
  await picture.scrollIntoViewIfNeeded();
  await expect
    .poll(() =>
      picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0),
    )
    .toBe(true);
}

test('a buyer finds a listing with its photos and its seller’s WhatsApp, and the seller signs in with the password from before', async () => {
  const language = 'en';
  const say = dictionaries[language];
  const name = draft().name[language] ?? '';
  const buyer = await market.visit({ language });
  await buyer.goto(`/${language}/`);
  await expectPicture(buyer, '.stall:not(.stall--empty)');
  await buyer.locator('.stall h3 a', { hasText: name }).first().click();
  await buyer.waitForURL('**/shop/11/**');
  await buyer.getByRole('heading', { name }).waitFor();
  await expectPicture(buyer, 'main');
  await buyer.locator('[data-action=contact]').first().click();
  const dialog = buyer.locator('dialog.contact');
  await dialog.locator('input[name=consent]').check();
  await answerWhatsApp(buyer);
  const [tab] = await Promise.all([
    buyer.context().waitForEvent('page'),
    dialog.locator('[data-open]').click(),
  ]);
  await tab.waitForURL('https://wa.me/**');
  expect(new URL(tab.url()).pathname).toBe(`/${seller.whatsapp.slice(1)}`);

  const owner = await market.visit({ language });
  await owner.goto(`/${language}/seller/auth`);
  await owner.locator('input[name=email]').fill(seller.email);
  await owner.locator('input[name=password]').fill(seller.password);
  await button(owner, say.seller.auth.signIn).click();
  await owner.waitForURL('**/seller/dashboard*');
  await owner.getByText(name).first().waitFor();
  await owner.getByText(say.common.status.live).first().waitFor();
  expect([...buyer.errors, ...owner.errors]).toEqual([]);
});
