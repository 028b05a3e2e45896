import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { auditEntries } from '../../../api/audit/reads.ts';
import { approve } from '../../../api/products/review/approve.ts';
import { reject } from '../../../api/products/review/reject.ts';
import { rebuildQueue } from '../../../api/queue/rebuild.ts';
import { removeSeller } from '../../../api/sellers/remove.ts';
import { suspendSeller } from '../../../api/sellers/suspend.ts';
import { writeSetting } from '../../../api/settings/values.ts';
import { pauseSlot } from '../../../api/slots/pause.ts';
import { schema } from '../../../db/client.ts';
import type { Language } from '../../../locales/languages.ts';
import { actors, signUpSeller } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { live, submitted } from '../../support/products.ts';

/** The audit log names its subjects (product R32, decision 038). */
const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());
const { products } = schema;
const ofAdmin = () => market.ctx(admin);
type Log = Awaited<ReturnType<typeof auditEntries>>;
const log = async (language: Language = 'en') =>
  (await market.call<Log>('/api/admin/audit', { as: admin, language })).body;
const subjects = async (language?: Language) =>
  (await log(language)).entries.map(({ action, subject }) => [action, subject]);

describe('the audit log calls', () => {
  test('a slot by its number, a product and a seller by their names, a queue and a setting by their labels, in both languages', async () => {
    const { id, slotId } = await live(market, seller, admin, {
      listingType: 'featured',
      preferredFeaturedSlot: 3,
    });
    await pauseSlot(await ofAdmin(), slotId, id);
    await rebuildQueue(await ofAdmin(), 'queue:regular');
    await suspendSeller(await ofAdmin(), seller.sellerId ?? '', 'x');
    await market.call(`/api/admin/sellers/${seller.sellerId}/unsuspend`, {
      method: 'POST',
      as: admin,
    });
    await writeSetting(await ofAdmin(), 'contactPerHour', 12);
    await writeSetting(await ofAdmin(), 'payees', {
      mtn_momo: { number: '', payee: 'A' },
      orange_money: { number: '', payee: '' },
      cash: { number: '', payee: '' },
    });
    expect(await subjects()).toEqual([
      ['settings.write', 'Whom to Pay the Listing Fee'],
      ['settings.write', 'Contacts per visitor and hour'],
      ['seller.unsuspend', 'Ngo Biyong'],
      ['seller.suspend', 'Ngo Biyong'],
      ['queue.rebuild', 'Standard queue'],
      ['slot.pause', 'Slot #03'],
      ['product.approve', 'Samsung Galaxy A14'],
    ]);
    const french = await subjects('fr');
    expect(french.at(-1)).toEqual(['product.approve', 'Samsung Galaxy A14, comme neuf']);
    expect(french.at(-2)).toEqual(['slot.pause', 'Emplacement #03']);
    const { names, entries } = await log();
    expect(names[id]).toBe('Samsung Galaxy A14');
    expect(entries.at(-1)).toMatchObject({ subjectKind: 'product', subjectId: id });
  });

  test('what is gone by the name that it had', async () => {
    const person = await signUpSeller(market, { name: 'Mballa' });
    const { id } = await live(market, person, admin, { name: { en: 'Drum', fr: 'Tambour' } });
    const other = await submitted(market, person, { name: { en: 'Old name' } });
    await reject(await ofAdmin(), other.id, 'No');
    await market.db
      .update(products)
      .set({ name: { en: 'New name' } })
      .where(eq(products.id, other.id));
    await market.call('/api/admin/slots/11/remove', { json: { productId: id }, as: admin });
    expect((await subjects()).slice(0, 2)).toEqual([
      ['slot.remove', 'Slot #11'],
      ['product.reject', 'Old name'],
    ]);
    await removeSeller(await ofAdmin(), person.sellerId ?? '');
    expect(await subjects()).toEqual([
      ['seller.delete', 'Mballa'],
      ['slot.remove', 'Slot #11'],
      ['product.reject', 'Old name'],
      ['product.approve', 'Drum'],
    ]);
    // The product of the freed slot is deleted by now.
    const { names } = await log('fr');
    expect([names[id], names[other.id]]).toEqual(['Tambour', 'Old name']);
  });

  test('nothing by a number, and nobody else reads it', async () => {
    const { id } = await submitted(market, seller);
    await approve(await ofAdmin(), id);
    expect(JSON.stringify(await log())).not.toContain(seller.whatsapp.slice(4));
    expect((await market.call('/api/admin/audit', { as: seller })).status).toBe(403);
  });
});
