import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { requestContact } from '../../../api/contact/request.ts';
import { pausedEndSeconds } from '../../../api/listings/rules.ts';
import { approve } from '../../../api/products/review/approve.ts';
import { suspendSeller } from '../../../api/sellers/suspend.ts';
import { unsuspendSeller } from '../../../api/sellers/unsuspendSeller.ts';
import { saveSetting } from '../../../api/settings/saveSetting.ts';
import { processQueue } from '../../../api/slots/fill.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { auditLines } from '../../support/audit.ts';
import {
  approved,
  live,
  productRow,
  queueRows,
  runQueue,
  slotOf,
  submitted,
} from '../../support/products.ts';
import { collide } from '../../support/race.ts';
import { outcomes, refused } from '../../support/refusals.ts';
import { idOf, sellerActions } from '../../support/sellers.ts';
import { plain } from '../../support/text.ts';

const market = await testApp();
const { seller, otherSeller, admin } = await actors(market);
const { products, slots } = schema;
const { ofAdmin, suspend, unsuspend, rowOf, clear } = sellerActions(market, { admin });
beforeEach(async () => {
  await market.reset();
  await clear();
});
const ends = (seconds: number) => new Date(market.clock.now().getTime() + seconds * 1000);

describe('a suspension (product R20)', () => {
  test('stamps reason and time, tells the seller in their language, and is audited', async () => {
    await suspend(otherSeller, 'Produits contrefaits');
    expect(await rowOf(otherSeller)).toMatchObject({
      suspended: true,
      suspendedReason: 'Produits contrefaits',
      suspendedAt: market.clock.now(),
    });
    const mail = await market.mails.lastTo(otherSeller.email);
    expect(plain(mail.text)).toContain('Produits contrefaits');
    expect(plain(mail.text)).toContain('Bonjour Fotso');
    expect(await auditLines(market)).toMatchObject([
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
    expect(await slotOf(market, other.id)).toMatchObject({
      pausedAt: null,
      endTime: other.endTime,
    });
  });

  test('resumes with the time left, however long it took, and tells the seller', async () => {
    const { id } = await live(market, seller, admin, { durationHours: 24 });
    market.clock.advance({ hours: 23 });
    await suspend(seller);
    market.clock.advance({ days: 40 });
    await runQueue(market);
    expect(await unsuspend(seller)).toMatchObject({ slotIds: [11] });
    expect(await slotOf(market, id)).toMatchObject({
      pausedAt: null,
      pausedBy: null,
      remainingDuration: null,
      endTime: ends(3600),
    });
    expect(await rowOf(seller)).toMatchObject({
      suspended: false,
      suspendedReason: null,
      suspendedAt: null,
    });
    expect((await market.mails.lastTo(seller.email)).subject).toBe(
      'Your seller account is open again',
    );
    expect((await auditLines(market)).at(-1)).toMatchObject({
      action: 'seller.unsuspend',
      before: { reason: 'Fake products' },
      after: { resumedSlots: [11] },
    });
  });

  test('resumes without a remainder for the product’s duration, then for a day', async () => {
    const first = await live(market, seller, admin, { durationHours: 48 });
    const second = await live(market, seller, admin);
    await suspend(seller);
    await market.db.update(slots).set({ remainingDuration: null });
    await market.db
      .update(products)
      .set({ durationSeconds: null })
      .where(eq(products.id, second.id));
    await unsuspend(seller);
    expect((await slotOf(market, first.id))?.endTime).toEqual(ends(48 * 3600));
    expect((await slotOf(market, second.id))?.endTime).toEqual(ends(86_400));
  });

  test('leaves what an admin paused to the admin', async () => {
    const byAdmin = await live(market, seller, admin);
    const running = await live(market, seller, admin);
    const paused = {
      pausedAt: market.clock.now(),
      pausedBy: 'admin',
      remainingDuration: 777,
      endTime: ends(pausedEndSeconds),
    } as const;
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
    expect(await productRow(market, id)).toMatchObject({
      listing: { endedAt: market.clock.now() },
    });
    expect((await market.mails.allTo(seller.email)).map((mail) => mail.subject)).toContain(
      'The listing of “Samsung Galaxy A14” has ended',
    );
    const { body } = await market.call<{ slots: { slot_id: number; product_id: string | null }[] }>(
      '/api/slots',
    );
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
    expect(await mine()).toMatchObject({
      status: 403,
      body: { error: { code: 'sellers.suspended' } },
    });
    await unsuspend(seller);
    expect((await mine()).status).toBe(200);
  });

  test('leaves a way to write to the team: the email that is set for it, else the number, else nothing', async () => {
    const ctx = await ofAdmin();
    const team = async () =>
      (await market.call<{ seller: { team: object | null } }>('/api/auth/me', { as: seller })).body
        .seller.team;
    await saveSetting(ctx, 'contactNumber', '+237699000054');
    expect(await team()).toBeNull();
    await suspend(seller);
    expect(await team()).toEqual({ email: null, whatsapp: '+237699000054' });
    await saveSetting(ctx, 'contactEmail', 'team@market.test');
    expect(await team()).toEqual({ email: 'team@market.test', whatsapp: null });
    await saveSetting(ctx, 'contactEmail', '');
    await saveSetting(ctx, 'contactNumber', '');
    expect(await team()).toEqual({ email: null, whatsapp: null });
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
    await refused(approve(await ofAdmin(), id), 'sellers.isSuspended');
  });

  test('refuses an unknown seller, a second one, and lifting none', async () => {
    await refused(suspendSeller(await ofAdmin(), randomUUID(), 'x'), 'sellers.notFound');
    await refused(unsuspendSeller(await ofAdmin(), randomUUID()), 'sellers.notFound');
    await refused(unsuspend(seller), 'conflict');
    await suspend(seller, 'first');
    await refused(suspend(seller, 'second'), 'conflict');
    expect(await rowOf(seller)).toMatchObject({ suspendedReason: 'first' });
  });

  for (const body of [
    {},
    { reason: '' },
    { reason: '  <> ' },
    { reason: 'x'.repeat(501) },
    { reason: 'x', until: 'tomorrow' },
  ]) {
    test(`refuses ${JSON.stringify(body).slice(0, 40)}`, async () => {
      const answer = await market.call(`/api/admin/sellers/${idOf(seller)}/suspend`, {
        json: body,
        as: admin,
      });
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
    expect(
      await outcomes(contexts.map((ctx, n) => suspendSeller(ctx, idOf(seller), `reason ${n}`))),
    ).toEqual(['conflict', 'kept']);
    expect(
      (await auditLines(market)).filter((line) => line.action === 'seller.suspend'),
    ).toHaveLength(1);
    expect(await slotOf(market, id)).toMatchObject({ remainingDuration: 72 * 3600 });
  });

  test('an approval: the product is queued and passed over, or pending', async () => {
    const { id } = await submitted(market, seller);
    const asAdmin = await ofAdmin();
    const other = await market.ctx(admin, { db: pool() });
    await collide<unknown>(
      market.sql,
      `select 1 from sellers where id = '${idOf(seller)}' for update`,
      [() => suspendSeller(asAdmin, idOf(seller), 'x'), () => approve(other, id)],
    );
    await runQueue(market);
    expect((await rowOf(seller))?.suspended).toBe(true);
    expect(await slotOf(market, id)).toBeUndefined();
    expect((await queueRows(market)).length).toBe(
      (await productRow(market, id)).status === 'approved' ? 1 : 0,
    );
  });

  test('a run of process-queue: nothing of the seller is live afterwards', async () => {
    for (let n = 0; n < 4; n++) {
      const { id } = await approved(market, seller, admin);
      const job = market.job('process-queue', pool());
      await Promise.all([suspend(seller), processQueue(job)]);
      const slot = await slotOf(market, id);
      if (slot)
        expect(slot).toMatchObject({ pausedBy: 'suspension', remainingDuration: 72 * 3600 });
      else expect((await queueRows(market)).map((row) => row.productId)).toContain(id);
      await unsuspend(seller);
    }
  });

  test('a run of process-queue that has already looked at its sellers: the suspension waits for it', async () => {
    const { id } = await approved(market, seller, admin);
    const asAdmin = await ofAdmin();
    const other = pool();
    // The run is blocked on slot 54, half way through.
    const settled = await collide<unknown>(
      market.sql,
      'select 1 from slots where id = 54 for update',
      [
        () => processQueue(market.job('process-queue', other)),
        async () => {
          for (;;) {
            const [row] =
              await market.sql`select count(*)::int as held from pg_locks join pg_database on oid = database
            where datname = current_database() and locktype = 'advisory' and granted`;
            if (row?.held > 0) return suspendSeller(asAdmin, idOf(seller), 'x');
          }
        },
      ],
    );
    expect(settled.map((result) => result.status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await slotOf(market, id)).toMatchObject({ pausedBy: 'suspension' });
  });
});
