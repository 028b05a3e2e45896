import { randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { requestContact } from '../../api/contact/request.ts';
import { approve } from '../../api/products/approve.ts';
import { edit } from '../../api/products/edit.ts';
import { notifySeller } from '../../api/sellers/notify.ts';
import { createProfile } from '../../api/sellers/profile.ts';
import { barredAddresses, listSellers, notificationState } from '../../api/sellers/reads.ts';
import { removeSeller, unbar } from '../../api/sellers/remove.ts';
import { notification } from '../../api/sellers/schema.ts';
import { suspendSeller, unsuspendSeller } from '../../api/sellers/suspend.ts';
import { unverifySeller, verifySeller } from '../../api/sellers/verify.ts';
import { cardKey } from '../../api/sharecards/cards.ts';
import { processQueue } from '../../api/slots/fill.ts';
import { pausedEndSeconds } from '../../api/slots/rules.ts';
import { cleanAbandonedUploads } from '../../api/uploads/receive.ts';
import { postgresCode, schema } from '../../db/client.ts';
import { actors, type Person, signInAdmin, signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { approved, draft, live, productRow, queueRows, runQueue, slotOf, submitted, uploadPhoto } from '../support/products.ts';
import { collide } from '../support/race.ts';
import { outcomes, refused } from '../support/refusals.ts';
import { plain } from '../support/text.ts';

const market = await testApp();
const { member, seller, otherSeller, suspendedSeller, admin } = await actors(market);
const { sellers, slots, products, auditLog, session, uploads, barredEmails, outbox } = schema;
beforeEach(async () => {
  await market.reset();
  await market.db
    .update(sellers)
    .set({ suspended: false, suspendedReason: null, suspendedAt: null, verified: false, verifiedBy: null, verifiedAt: null, verifiedWhatsapp: null })
    .where(eq(sellers.suspended, sellers.suspended));
});
const ofAdmin = () => market.ctx(admin);
const idOf = (person: Person) => person.sellerId ?? '';
const rowOf = async (person: Person) =>
  (
    await market.db
      .select()
      .from(sellers)
      .where(eq(sellers.id, idOf(person)))
  )[0];
const lines = () => market.db.select().from(auditLog).orderBy(auditLog.id);
const suspend = async (person: Person, reason = 'Fake products') => suspendSeller(await ofAdmin(), idOf(person), reason);
const verify = async (person: Person) => verifySeller(await ofAdmin(), idOf(person), { number: person.whatsapp });
const unsuspend = async (person: Person) => unsuspendSeller(await ofAdmin(), idOf(person));
const ends = (seconds: number) => new Date(market.clock.now().getTime() + seconds * 1000);

describe('a suspension (product R20)', () => {
  test('stamps reason and time, tells the seller in their language, and is audited', async () => {
    await suspend(otherSeller, 'Produits contrefaits');
    expect(await rowOf(otherSeller)).toMatchObject({ suspended: true, suspendedReason: 'Produits contrefaits', suspendedAt: market.clock.now() });
    const mail = await market.mails.lastTo(otherSeller.email);
    expect(plain(mail.text)).toContain('Produits contrefaits');
    expect(plain(mail.text)).toContain('Bonjour Fotso');
    expect(await lines()).toMatchObject([
      {
        action: 'seller.suspend',
        subjectKind: 'seller',
        subjectId: idOf(otherSeller),
        actorId: admin.userId,
        before: { suspended: false },
        after: { suspended: true, reason: 'Produits contrefaits', pausedSlots: [] },
      },
    ]);
  });

  test('pauses the seller’s live slots with the time left, and nobody else’s', async () => {
    const mine = await live(market, seller, admin, { durationHours: 48 });
    const other = await live(market, otherSeller, admin);
    market.clock.advance({ hours: 20 });
    expect(await suspend(seller)).toEqual({ id: idOf(seller), slotIds: [mine.slotId] });
    expect(await slotOf(market, mine.id)).toMatchObject({
      active: true,
      pausedAt: market.clock.now(),
      pausedBy: 'suspension',
      remainingDuration: 28 * 3600,
      endTime: ends(pausedEndSeconds),
    });
    expect(await slotOf(market, other.id)).toMatchObject({ pausedAt: null, endTime: other.endTime });
  });

  test('resumes with the time left, however long it took, and tells the seller', async () => {
    const { id } = await live(market, seller, admin, { durationHours: 24 });
    market.clock.advance({ hours: 23 });
    await suspend(seller);
    market.clock.advance({ days: 40 });
    await runQueue(market);
    expect(await unsuspend(seller)).toMatchObject({ slotIds: [11] });
    expect(await slotOf(market, id)).toMatchObject({ pausedAt: null, pausedBy: null, remainingDuration: null, endTime: ends(3600) });
    expect(await rowOf(seller)).toMatchObject({ suspended: false, suspendedReason: null, suspendedAt: null });
    expect((await market.mails.lastTo(seller.email)).subject).toBe('Your seller account is open again');
    expect((await lines()).at(-1)).toMatchObject({ action: 'seller.unsuspend', before: { reason: 'Fake products' }, after: { resumedSlots: [11] } });
  });

  test('resumes without a remainder for the product’s duration, then for a day', async () => {
    const first = await live(market, seller, admin, { durationHours: 48 });
    const second = await live(market, seller, admin);
    await suspend(seller);
    await market.db.update(slots).set({ remainingDuration: null });
    await market.db.update(products).set({ durationSeconds: null }).where(eq(products.id, second.id));
    await unsuspend(seller);
    expect((await slotOf(market, first.id))?.endTime).toEqual(ends(48 * 3600));
    expect((await slotOf(market, second.id))?.endTime).toEqual(ends(86_400));
  });

  test('leaves what an admin paused to the admin', async () => {
    const byAdmin = await live(market, seller, admin);
    const running = await live(market, seller, admin);
    const paused = { pausedAt: market.clock.now(), pausedBy: 'admin', remainingDuration: 777, endTime: ends(pausedEndSeconds) } as const;
    await market.db.update(slots).set(paused).where(eq(slots.id, byAdmin.slotId));
    expect((await suspend(seller)).slotIds).toEqual([running.slotId]);
    expect(await slotOf(market, byAdmin.id)).toMatchObject(paused);
    expect((await unsuspend(seller)).slotIds).toEqual([running.slotId]);
    expect(await slotOf(market, byAdmin.id)).toMatchObject(paused);
  });

  test('ends what reads EXPIRED, so that nothing of the seller stays on the grid', async () => {
    const { id, slotId } = await live(market, seller, admin, { durationHours: 24 });
    market.clock.advance({ hours: 24 });
    expect((await suspend(seller)).slotIds).toEqual([]);
    expect(await slotOf(market, id)).toBeUndefined();
    expect(await productRow(market, id)).toMatchObject({ listingEndedAt: market.clock.now() });
    expect((await market.mails.allTo(seller.email)).map((mail) => mail.subject)).toContain('The listing of “Samsung Galaxy A14” has ended');
    const { body } = await market.call<{ slots: { slot_id: number; product_id: string | null }[] }>('/api/slots');
    expect(body.slots.find((slot) => slot.slot_id === slotId)?.product_id).toBeNull();
  });

  test('keeps queued products in their place', async () => {
    const first = await approved(market, seller, admin);
    const second = await approved(market, otherSeller, admin);
    const before = await queueRows(market);
    await suspend(seller);
    expect(await queueRows(market)).toEqual(before);
    expect((await runQueue(market)).assigned.map((place) => place.productId)).toEqual([second.id]);
    await unsuspend(seller);
    expect((await runQueue(market)).assigned.map((place) => place.productId)).toEqual([first.id]);
  });

  test('is felt with the next request, and so is its end', async () => {
    const mine = () => market.call('/api/products/mine', { as: seller });
    expect((await mine()).status).toBe(200);
    await suspend(seller);
    expect(await mine()).toMatchObject({ status: 403, body: { error: { code: 'sellers.suspended' } } });
    await unsuspend(seller);
    expect((await mine()).status).toBe(200);
  });

  test('takes listing and contact away from buyers at once', async () => {
    const { id, slotId } = await live(market, seller, admin);
    await suspend(seller);
    await refused(requestContact(await market.ctx(), id, true), 'contact.notAvailable');
    expect((await market.call(`/api/slots/${slotId}`)).status).toBe(404);
  });

  test('stops approval', async () => {
    const { id } = await submitted(market, seller);
    await suspend(seller);
    await refused(approve(await ofAdmin(), id), 'sellers.suspended');
  });

  test('refuses an unknown seller, a second one, and lifting none', async () => {
    await refused(suspendSeller(await ofAdmin(), randomUUID(), 'x'), 'sellers.notFound');
    await refused(unsuspendSeller(await ofAdmin(), randomUUID()), 'sellers.notFound');
    await refused(unsuspend(seller), 'conflict');
    await suspend(seller, 'first');
    await refused(suspend(seller, 'second'), 'conflict');
    expect(await rowOf(seller)).toMatchObject({ suspendedReason: 'first' });
  });

  for (const body of [{}, { reason: '' }, { reason: '  <> ' }, { reason: 'x'.repeat(501) }, { reason: 'x', until: 'tomorrow' }]) {
    test(`refuses ${JSON.stringify(body).slice(0, 40)}`, async () => {
      const answer = await market.call(`/api/admin/sellers/${idOf(seller)}/suspend`, { json: body, as: admin });
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'validation' } } });
      expect((await rowOf(seller))?.suspended).toBe(false);
    });
  }
});

describe('a suspension that runs into', () => {
  const pool = () => market.database.another({ max: 4 }).db;

  test('another admin’s: one is kept', async () => {
    const { id } = await live(market, seller, admin);
    const contexts = [await ofAdmin(), await market.ctx(admin, { db: pool() })];
    expect(await outcomes(contexts.map((ctx, n) => suspendSeller(ctx, idOf(seller), `reason ${n}`)))).toEqual(['conflict', 'kept']);
    expect((await lines()).filter((line) => line.action === 'seller.suspend')).toHaveLength(1);
    expect(await slotOf(market, id)).toMatchObject({ remainingDuration: 72 * 3600 });
  });

  test('an approval: the product is queued and passed over, or pending', async () => {
    const { id } = await submitted(market, seller);
    const asAdmin = await ofAdmin();
    const other = await market.ctx(admin, { db: pool() });
    await collide<unknown>(market.sql, `select 1 from sellers where id = '${idOf(seller)}' for update`, [
      () => suspendSeller(asAdmin, idOf(seller), 'x'),
      () => approve(other, id),
    ]);
    await runQueue(market);
    expect((await rowOf(seller))?.suspended).toBe(true);
    expect(await slotOf(market, id)).toBeUndefined();
    expect((await queueRows(market)).length).toBe((await productRow(market, id)).status === 'approved' ? 1 : 0);
  });

  test('a run of process-queue: nothing of the seller is live afterwards', async () => {
    for (let n = 0; n < 4; n++) {
      const { id } = await approved(market, seller, admin);
      const job = market.job('process-queue', pool());
      await Promise.all([suspend(seller), processQueue(job)]);
      const slot = await slotOf(market, id);
      if (slot) expect(slot).toMatchObject({ pausedBy: 'suspension', remainingDuration: 72 * 3600 });
      else expect((await queueRows(market)).map((row) => row.productId)).toContain(id);
      await unsuspend(seller);
    }
  });

  test('a run of process-queue that has already looked at its sellers: the suspension waits for it', async () => {
    const { id } = await approved(market, seller, admin);
    const asAdmin = await ofAdmin();
    const other = pool();
    // Slot 54 is held: the run stands still in its middle.
    const settled = await collide<unknown>(market.sql, 'select 1 from slots where id = 54 for update', [
      () => processQueue(market.job('process-queue', other)),
      async () => {
        for (;;) {
          const [row] = await market.sql`select count(*)::int as held from pg_locks join pg_database on oid = database
            where datname = current_database() and locktype = 'advisory' and granted`;
          if (row?.held > 0) return suspendSeller(asAdmin, idOf(seller), 'x');
        }
      },
    ]);
    expect(settled.map((result) => result.status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await slotOf(market, id)).toMatchObject({ pausedBy: 'suspension' });
  });
});

describe('a verification by hand (product R21)', () => {
  test('says who gave it, tells the seller, and can be withdrawn', async () => {
    expect(await verify(seller)).toEqual({ id: idOf(seller), verified: true, verifiedBy: 'admin' });
    expect(await rowOf(seller)).toMatchObject({ verified: true, verifiedBy: 'admin', verifiedAt: market.clock.now() });
    expect((await market.mails.lastTo(seller.email)).subject).toBe('Your seller account is verified');
    await unverifySeller(await ofAdmin(), idOf(seller));
    expect(await rowOf(seller)).toMatchObject({ verified: false, verifiedBy: null, verifiedAt: null });
    expect(await lines()).toMatchObject([
      { action: 'seller.verify', before: { verified: false }, after: { verifiedBy: 'admin' } },
      { action: 'seller.unverify', before: { verifiedBy: 'admin' }, after: { verified: false } },
    ]);
  });

  test('shows on the seller’s live products', async () => {
    const { slotId } = await live(market, seller, admin);
    await verify(seller);
    expect((await market.call<{ seller_verified: string }>(`/api/slots/${slotId}`)).body.seller_verified).toBe('admin');
  });

  test('refuses the chat bot’s proof a second one, which can be withdrawn as well', async () => {
    await market.db
      .update(sellers)
      .set({ verified: true, verifiedBy: 'chat', verifiedAt: market.clock.now(), verifiedWhatsapp: seller.whatsapp })
      .where(eq(sellers.id, idOf(seller)));
    await refused(verify(seller), 'conflict');
    await unverifySeller(await ofAdmin(), idOf(seller));
    await refused(unverifySeller(await ofAdmin(), idOf(seller)), 'conflict');
    await refused(verifySeller(await ofAdmin(), randomUUID(), { number: seller.whatsapp }), 'sellers.notFound');
    await refused(unverifySeller(await ofAdmin(), randomUUID()), 'sellers.notFound');
  });

  test('by two admins at once is one', async () => {
    const contexts = await Promise.all([ofAdmin(), ofAdmin()]);
    expect(await outcomes(contexts.map((ctx) => verifySeller(ctx, idOf(seller), { number: seller.whatsapp })))).toEqual(['conflict', 'kept']);
  });
});

describe('a deletion (product R20)', () => {
  test('leaves nothing of the seller, in the database, in storage or at any door', async () => {
    const person = await signUpSeller(market, { name: 'Mbarga Unique' });
    const here = await live(market, person, admin, { name: { en: 'Chair of Mbarga' } });
    await edit(await market.ctx(person), here.id, { ...changed(), images: [await uploadPhoto(market, person)] });
    const queued = await approved(market, person, admin);
    const pending = await submitted(market, person);
    await uploadPhoto(market, person);
    await market.db
      .update(sellers)
      .set({ whatsapp: person.whatsapp })
      .where(eq(sellers.id, idOf(person)));
    const { slug } = await productRow(market, here.id);
    for (const language of ['en', 'fr'] as const) await market.storage.put(cardKey(here.id, language), new Uint8Array([1]), 'image/jpeg');
    const kept = await live(market, otherSeller, admin);
    const keptFiles = (await productRow(market, kept.id)).images.flatMap((image) => image.widths.map((width) => `${image.key}-${width}.webp`));
    const visitor = market.visitor();
    await market.call(`/api/products/${here.id}/contact`, { json: { consent: true }, as: visitor });
    await market.call(`/api/products/${here.id}/report`, { json: { reason: 'fraud' }, as: visitor });

    const answer = await market.call(`/api/admin/sellers/${idOf(person)}`, { method: 'DELETE', as: admin });
    expect(answer).toMatchObject({ status: 200, body: { id: idOf(person), products: 3, images: 5 } });

    expect(await rowOf(person)).toBeUndefined();
    expect((await market.db.select().from(products)).map((row) => row.id)).toEqual([kept.id]);
    expect(await queueRows(market)).toEqual([]);
    expect((await market.db.select().from(slots).where(eq(slots.active, true))).map((slot) => slot.productId)).toEqual([kept.id]);
    expect((await market.db.select().from(uploads)).map((row) => row.productId)).toEqual([kept.id]);
    expect([...market.storage.files.keys()].sort()).toEqual(keptFiles.sort());
    const [left] = await market.sql`select (select count(*) from contact_requests)::int + (select count(*) from reports)::int
      + (select count(*) from engagement_events where product_id = ${here.id})::int + (select count(*) from product_edits)::int as rows`;
    expect(left?.rows).toBe(0);

    for (const path of [
      `/api/slots/${here.slotId}`,
      `/api/products/by-slug/${slug}`,
      ...[here, queued, pending].map(({ id }) => `/media/cards/${id}-en.jpg`),
    ]) {
      expect((await market.request(path, { as: visitor })).status, path).toBe(404);
    }
    expect((await market.call(`/api/products/${here.id}/contact`, { json: { consent: true }, as: visitor })).status).toBe(404);
    const home = await (await market.request('/api/slots')).text();
    expect(home).not.toContain('Mbarga');
    expect(await (await market.request('/sitemap.xml')).text()).not.toContain(slug);
    const list = await listSellers(await ofAdmin(), { search: 'Mbarga' });
    expect(list).toMatchObject({ total: 0, sellers: [] });
  });

  test('ends the sessions with the next request, and tells the person', async () => {
    const person = await signUpSeller(market);
    expect((await market.call<{ role: string }>('/api/auth/me', { as: person })).status).toBe(200);
    expect((await market.call('/api/products/mine', { as: person })).status).toBe(200);
    await removeSeller(await ofAdmin(), idOf(person));
    expect(await market.call('/api/products/mine', { as: person })).toMatchObject({ status: 401, body: { error: { code: 'signInRequired' } } });
    expect(await market.db.select().from(session).where(eq(session.userId, person.userId))).toEqual([]);
    expect((await market.mails.lastTo(person.email)).subject).toBe('Your seller account has been deleted');
  });

  test('bars the address until an admin lets it in again', async () => {
    const person = await signUpSeller(market, { email: `barred${randomUUID().slice(0, 8)}@example.test` });
    await removeSeller(await ofAdmin(), idOf(person));
    const profile = { userId: person.userId, email: person.email };
    await refused(createProfile(market.job('x'), profile, { name: 'Again' }), 'sellers.barred');
    expect(await barredAddresses(await ofAdmin())).toMatchObject({ total: 1, addresses: [{ email: person.email, by: 'Admin' }] });
    expect(await market.call('/api/admin/sellers/unbar', { json: { email: person.email.toUpperCase() }, as: admin })).toMatchObject({ status: 200 });
    await createProfile(market.job('x'), profile, { name: 'Again' });
    await refused(unbar(await ofAdmin(), person.email), 'notFound');
    expect((await lines()).map((line) => line.action)).toEqual(['seller.delete', 'seller.unbar']);
  });

  test('bars the account’s present address beside the profile’s', async () => {
    const person = await signUpSeller(market);
    await market.db
      .update(sellers)
      .set({ email: 'Old@Example.test' })
      .where(eq(sellers.id, idOf(person)));
    await removeSeller(await ofAdmin(), idOf(person));
    expect((await market.db.select().from(barredEmails)).map((row) => row.email).sort()).toEqual(['old@example.test', person.email].sort());
  });

  test('is audited with what there was', async () => {
    const person = await signUpSeller(market, { name: 'Etoa' });
    await live(market, person, admin);
    await approved(market, person, admin);
    await removeSeller(await ofAdmin(), idOf(person));
    expect((await lines()).at(-1)).toMatchObject({
      action: 'seller.delete',
      subjectId: idOf(person),
      before: { name: 'Etoa', email: person.email, products: 2, slots: [11], queued: 1 },
      after: { barred: [person.email] },
    });
  });

  test('leaves files that resist to the hourly cleaning, and is done all the same', async () => {
    const person = await signUpSeller(market);
    const { id } = await live(market, person, admin);
    // As an import leaves it: a photo without a row of its own.
    await market.db.delete(uploads).where(eq(uploads.productId, id));
    const gone = market.services.storage.delete;
    market.services.storage.delete = async () => {
      throw new Error('the storage is away');
    };
    try {
      expect(await removeSeller(await ofAdmin(), idOf(person))).toMatchObject({ products: 1, images: 1 });
    } finally {
      market.services.storage.delete = gone;
    }
    expect(market.storage.files.size).toBeGreaterThan(0);
    expect(await cleanAbandonedUploads(market.job('clean'))).toBe(1);
    expect(market.storage.files.size).toBe(0);
  });

  test('announces the slots and pages that change', async () => {
    const person = await signUpSeller(market);
    const { id, slotId } = await live(market, person, admin);
    const heard: string[] = [];
    const { unlisten } = await market.sql.listen('market', (news) => heard.push(news));
    await removeSeller(await ofAdmin(), idOf(person));
    await market.sql`select pg_notify('market', 'end:')`;
    await expect.poll(() => heard).toContain('end:');
    await unlisten();
    expect(heard).toEqual(expect.arrayContaining([`slot:${slotId}`, `product:${id}`]));
  });

  test('refuses an unknown seller, and the second of two admins', async () => {
    await refused(removeSeller(await ofAdmin(), randomUUID()), 'sellers.notFound');
    const person = await signUpSeller(market);
    await live(market, person, admin);
    const contexts = [await ofAdmin(), await market.ctx(admin, { db: market.database.another().db })];
    expect(await outcomes(contexts.map((ctx) => removeSeller(ctx, idOf(person))))).toEqual(['kept', 'sellers.notFound']);
  });

  test('is all or nothing', async () => {
    const person = await signUpSeller(market);
    const { id, slotId } = await live(market, person, admin);
    await market.db.execute(sql`create function refuse_bar() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`);
    await market.db.execute(sql`create trigger refuse_bar before insert on barred_emails for each row execute function refuse_bar()`);
    try {
      await expect(removeSeller(await ofAdmin(), idOf(person))).rejects.toThrow();
    } finally {
      await market.db.execute(sql`drop trigger refuse_bar on barred_emails`);
    }
    expect((await slotOf(market, id))?.id).toBe(slotId);
    expect((await market.call('/api/products/mine', { as: person })).status).toBe(200);
    expect(market.storage.files.size).toBeGreaterThan(0);
  });
});

describe('a deletion that runs into', () => {
  test('a run of process-queue ends whole, in either order', async () => {
    for (let n = 0; n < 3; n++) {
      const person = await signUpSeller(market);
      await approved(market, person, admin);
      const job = market.job('process-queue', market.database.another({ max: 2 }).db);
      expect(await outcomes([removeSeller(await ofAdmin(), idOf(person)), processQueue(job)])).toEqual(['kept', 'kept']);
      expect(await rowOf(person)).toBeUndefined();
    }
    expect(await market.db.select().from(slots).where(eq(slots.active, true))).toEqual([]);
    expect(await queueRows(market)).toEqual([]);
  });

  test('an approval ends whole, in either order', async () => {
    const person = await signUpSeller(market);
    const { id } = await submitted(market, person);
    const asAdmin = await ofAdmin();
    const other = await market.ctx(admin, { db: market.database.another({ max: 2 }).db });
    const [removed, decided] = await collide<unknown>(market.sql, `select 1 from products where id = '${id}' for update`, [
      () => removeSeller(asAdmin, idOf(person)),
      () => approve(other, id),
    ]);
    expect(removed?.status).toBe('fulfilled');
    if (decided?.status === 'rejected') await refused(Promise.reject(decided.reason), 'products.notFound');
    expect(await market.db.select().from(products)).toEqual([]);
    expect(await queueRows(market)).toEqual([]);
  });

  test('a contact: the number is given before or not at all, and no trace stays', async () => {
    const person = await signUpSeller(market);
    const { id } = await live(market, person, admin);
    const asAdmin = await ofAdmin();
    const visitor = await market.ctx(undefined, { db: market.database.another({ max: 2 }).db });
    const [removed, contacted] = await Promise.allSettled([removeSeller(asAdmin, idOf(person)), requestContact(visitor, id, true)]);
    expect(removed.status).toBe('fulfilled');
    // A contact that had read the slot just before is stopped by the foreign key (23503): nothing is answered either.
    if (contacted.status === 'rejected' && postgresCode(contacted.reason) !== '23503') await refused(Promise.reject(contacted.reason), 'contact.notAvailable');
    expect(await market.db.select().from(schema.contactRequests)).toEqual([]);
  });
});

describe('a notification (product R25)', () => {
  const words = { subject: 'Your photos', message: 'Please send <b>brighter</b> {{name}} ones.' };

  test('answers its id, waits in the outbox, and is sent when the mail server has taken it', async () => {
    const sent = await market.call<{ id: string }>(`/api/admin/sellers/${idOf(otherSeller)}/notify`, { json: words, as: admin });
    expect(sent.status).toBe(202);
    const state = async () => (await market.call(`/api/admin/sellers/notifications/${sent.body.id}`, { as: admin })).body;
    expect(await state()).toMatchObject({ id: sent.body.id, state: 'waiting', attempts: 0, sentAt: null });
    market.mails.refuse('450 mailbox busy');
    await market.mails.deliver();
    expect(await state()).toMatchObject({ state: 'waiting', attempts: 1, lastError: '450 mailbox busy' });
    market.mails.refuse();
    market.clock.advance({ minutes: 1 });
    const mail = await market.mails.lastTo(otherSeller.email);
    expect(await state()).toMatchObject({ state: 'sent', channel: 'email', sentAt: market.clock.now().toISOString() });
    expect(mail.subject).toBe('Your photos');
    expect(mail.text).toContain('Please send bbrighter/b {{name}} ones.');
    expect(plain(mail.text)).toContain('Bonjour');
    expect(await lines()).toMatchObject([{ action: 'seller.notify', subjectId: idOf(otherSeller), after: { subject: 'Your photos', outboxId: sent.body.id } }]);
    expect(await market.db.select().from(outbox)).toMatchObject([{ kind: 'sellerNotification', sellerId: idOf(otherSeller) }]);
  });

  test('has a subject of one line', () => {
    expect(notification.parse({ subject: 'a\r\nBcc: x@y.test', message: 'm' }).subject).toBe('a Bcc: x@y.test');
  });

  for (const [field, body] of [
    ['subject', { subject: ' ', message: 'x' }],
    ['message', { subject: 'x', message: '' }],
    ['message', { subject: 'x' }],
    ['subject', { subject: 'x'.repeat(151), message: 'x' }],
    ['message', { subject: 'x', message: 'x'.repeat(2001) }],
    ['to', { subject: 'x', message: 'x', to: 'a@b.test' }],
  ] as const) {
    test(`refuses a wrong ${field}: ${JSON.stringify(body).slice(0, 30)}`, async () => {
      const answer = await market.call(`/api/admin/sellers/${idOf(seller)}/notify`, { json: body, as: admin });
      expect(answer).toMatchObject({ status: 400, body: { error: { fields: [{ path: field }] } } });
      expect(await market.db.select().from(outbox)).toEqual([]);
    });
  }

  test('refuses an unknown seller, and no other mail’s state is told', async () => {
    await refused(notifySeller(await ofAdmin(), randomUUID(), words), 'sellers.notFound');
    await refused(notificationState(await ofAdmin(), randomUUID()), 'notFound');
    await verify(seller);
    const [other] = await market.db.select().from(outbox);
    await refused(notificationState(await ofAdmin(), other?.id ?? ''), 'notFound');
  });
});

describe('the list of sellers', () => {
  test('shows the newest first with their products, a page at a time', async () => {
    await live(market, seller, admin);
    await approved(market, seller, admin);
    await submitted(market, seller);
    const first = await listSellers(await ofAdmin(), { pageSize: 2 });
    const second = await listSellers(await ofAdmin(), { page: 2, pageSize: 2 });
    const all = await listSellers(await ofAdmin());
    expect(first.sellers).toHaveLength(2);
    expect([...first.sellers, ...second.sellers]).toEqual(all.sellers.slice(0, 4));
    const times = all.sellers.map((row) => row.createdAt);
    expect(times).toEqual([...times].sort().reverse());
    expect(all.sellers.find((row) => row.id === idOf(seller))).toMatchObject({
      name: 'Ngo Biyong',
      email: seller.email,
      whatsapp: seller.whatsapp,
      language: 'en',
      verified: false,
      products: { total: 3, pending: 1, queued: 1, live: 1 },
    });
    expect(all.sellers.find((row) => row.id === idOf(otherSeller))).toMatchObject({ language: 'fr', products: { total: 0 } });
  });

  test('is searched by name or email in any case, and by nothing else', async () => {
    const find = async (search: string) => (await listSellers(await ofAdmin(), { search })).sellers.map((row) => row.id);
    expect(await find('nGO biY')).toEqual([idOf(seller)]);
    expect(await find(otherSeller.email.toUpperCase())).toEqual([idOf(otherSeller)]);
    expect(await find('Bafoussam')).toEqual([]);
    for (const wild of ['%', '_', '\\', "'; drop table sellers"]) expect(await find(wild), wild).toEqual([]);
    const answer = await market.call<{ total: number }>('/api/admin/sellers?search=fotso&page=1', { as: admin });
    expect(answer.body).toMatchObject({ total: 1 });
    expect((await market.call<{ total: number }>('/api/admin/sellers?search=', { as: admin })).body.total).toBeGreaterThan(1);
    for (const query of ['page=0', 'page=x', 'page=1.5', 'size=9', `search=${'x'.repeat(101)}`])
      expect((await market.call(`/api/admin/sellers?${query}`, { as: admin })).status, query).toBe(400);
  });

  test('is searched over trigrams where the server has them', async () => {
    const plan = await market.sql.begin(async (tx) => {
      await tx`set local enable_seqscan = off`;
      return tx`explain select 1 from sellers where name ilike '%ndombe%' or email ilike '%ndombe%'`;
    });
    const text = plan.map((row) => row['QUERY PLAN']).join(' ');
    expect(text).toContain('sellers_name_trgm_idx');
    expect(text).toContain('sellers_email_trgm_idx');
  });

  test('answers a page of ten thousand quickly', async () => {
    await market.sql`insert into sellers (name, email, created_at) select 'Vendor ' || n, 'vendor' || n || '@many.test', '2020-01-01'::timestamptz + n * interval '1 minute'
      from generate_series(1, 10000) n`;
    try {
      const started = performance.now();
      const found = await listSellers(await ofAdmin(), { search: 'VENDOR 9', page: 3 });
      expect(found).toMatchObject({ total: 1111, page: 3 });
      expect(found.sellers).toHaveLength(50);
      expect(performance.now() - started).toBeLessThan(1000);
    } finally {
      await market.sql`delete from sellers where email like '%@many.test'`;
    }
  });
});

describe('the sellers are for admins alone:', () => {
  for (const [who, person, code] of [
    ['a visitor', undefined, 'signInRequired'],
    ['a member', member, 'forbidden'],
    ['a seller', seller, 'forbidden'],
    ['a suspended seller', suspendedSeller, 'forbidden'],
  ] as const) {
    test(`${who} neither sees nor changes`, async () => {
      const ctx = await market.ctx(person);
      const id = idOf(otherSeller);
      for (const work of [
        suspendSeller(ctx, id, 'x'),
        unsuspendSeller(ctx, id),
        verifySeller(ctx, id, { number: seller.whatsapp }),
        unverifySeller(ctx, id),
        removeSeller(ctx, id),
        unbar(ctx, 'a@b.test'),
        notifySeller(ctx, id, { subject: 'x', message: 'x' }),
        listSellers(ctx),
        barredAddresses(ctx),
        notificationState(ctx, id),
      ])
        await refused(work, code);
      expect(await lines()).toEqual([]);
    });
  }

  test('an admin who also sells can be suspended as a seller and stays an admin', async () => {
    const both = await signInAdmin(market);
    const { id } = await createProfile(market.job('x'), { userId: both.userId, email: both.email }, { name: 'Both' });
    await suspendSeller(await ofAdmin(), id, 'x');
    expect((await market.call('/api/admin/sellers', { as: both })).status).toBe(200);
    await market.db.delete(sellers).where(and(eq(sellers.id, id)));
  });
});

function changed() {
  const { name, description, category, price, sellerName, sellerWhatsapp, sellerLocation } = draft();
  return { name, description, category, price, sellerName, sellerWhatsapp, sellerLocation };
}
