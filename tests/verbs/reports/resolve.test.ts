import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { restoreProduct } from '../../../api/queue/restore.ts';
import { closedReports, openReports } from '../../../api/reports/reads.ts';
import { removeReported } from '../../../api/reports/remove.ts';
import { reportListing } from '../../../api/reports/report.ts';
import { resolveReports } from '../../../api/reports/resolve.ts';
import type { ReportInput } from '../../../api/reports/schema.ts';
import { removeFromSlot } from '../../../api/slots/remove.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { live, productRow, queueRows, slotOf } from '../../support/products.ts';
import { outcomes, refused } from '../../support/refusals.ts';

const market = await testApp();
const { member, seller, suspendedSeller, admin } = await actors(market);
beforeEach(() => market.reset());
const { reports, auditLog } = schema;
const ofAdmin = () => market.ctx(admin);
const report = async (id: string, reason: ReportInput['reason'], note?: string) =>
  reportListing(await market.ctx(), id, { reason, note });
const rows = (id: string) => market.db.select().from(reports).where(eq(reports.productId, id));

describe('the reports', () => {
  test('are listed by product, the most reported first, with reasons, counts and notes', async () => {
    const few = await live(market, seller, admin);
    const many = await live(market, seller, admin, { name: { en: 'A stolen phone' } });
    await report(few.id, 'other', 'odd');
    await report(many.id, 'stolen', 'It is mine');
    market.clock.advance({ minutes: 1 });
    await report(many.id, 'fraud');
    await report(many.id, 'stolen', 'He sold mine too');
    const { body } = await market.call<Awaited<ReturnType<typeof openReports>>>(
      '/api/admin/reports',
      { as: admin },
    );
    expect(body).toMatchObject({ total: 2, totalReports: 4, page: 1 });
    expect(body.products.map((product) => product.id)).toEqual([many.id, few.id]);
    expect(body.products[0]).toMatchObject({
      name: { en: 'A stolen phone' },
      slug: (await productRow(market, many.id)).slug,
      status: 'approved',
      removed: false,
      slotId: many.slotId,
      sellerId: seller.sellerId,
      sellerName: seller.name,
      sellerSuspended: false,
      count: 3,
      latestAt: market.clock.now().toISOString(),
      reasons: { stolen: 2, fraud: 1 },
      notes: [
        { reason: 'stolen', note: 'He sold mine too', slotId: many.slotId },
        { reason: 'stolen', note: 'It is mine' },
      ],
    });
    expect((await openReports(await ofAdmin(), { reason: 'fraud' })).products).toMatchObject([
      { id: many.id, count: 1, reasons: { fraud: 1 } },
    ]);
  });

  test('come a page at a time, ten notes a product', async () => {
    const { id } = await live(market, seller, admin);
    await market.sql`insert into products (id, slug, status) select gen_random_uuid(), 'p-' || n, 'pending' from generate_series(1, 45) n`;
    await market.sql`insert into reports (product_id, reason, visitor) select id, 'fraud', 'v' from products where slug like 'p-%'`;
    await market.sql`insert into reports (product_id, reason, visitor, note) select ${id}, 'fraud', 'w' || n, 'note ' || n from generate_series(1, 10000) n`;
    const pages = [];
    for (const page of [1, 2, 3, 4]) pages.push(await openReports(await ofAdmin(), { page }));
    expect(pages.map((page) => page.products.length)).toEqual([20, 20, 6, 0]);
    expect(pages[0]).toMatchObject({ total: 46, totalReports: 10_045 });
    expect(pages[0]?.products[0]).toMatchObject({ id, count: 10_000 });
    expect(pages[0]?.products[0]?.notes).toHaveLength(10);
    expect(new Set(pages.flatMap((page) => page.products.map((product) => product.id))).size).toBe(
      46,
    );
  });

  test('are closed together with what was done, and audited', async () => {
    const { id } = await live(market, seller, admin);
    const other = await live(market, seller, admin);
    await report(id, 'fraud');
    await report(id, 'stolen');
    await report(other.id, 'fraud');
    const answer = await market.call(`/api/admin/reports/${id}/resolve`, {
      json: { resolution: ' Called the seller ' },
      as: admin,
    });
    expect(answer).toMatchObject({ status: 200, body: { id, resolved: 2 } });
    for (const row of await rows(id))
      expect(row).toMatchObject({
        resolvedAt: market.clock.now(),
        resolvedBy: admin.userId,
        resolution: 'Called the seller',
      });
    expect((await openReports(await ofAdmin())).products.map((product) => product.id)).toEqual([
      other.id,
    ]);
    expect(
      (await market.db.select().from(auditLog)).filter((line) => line.action === 'report.resolve'),
    ).toMatchObject([
      {
        subjectKind: 'report',
        subjectId: id,
        actorId: admin.userId,
        before: { open: 2, reasons: ['fraud', 'stolen'] },
        after: { resolution: 'Called the seller' },
      },
    ]);
  });

  test('that came after the list was read stay open', async () => {
    const { id } = await live(market, seller, admin);
    await report(id, 'fraud');
    const seen = (await openReports(await ofAdmin())).products[0]?.latestAt;
    market.clock.advance({ seconds: 1 });
    await report(id, 'offensive');
    expect(await resolveReports(await ofAdmin(), id, 'Dismissed', seen)).toEqual({
      id,
      resolved: 1,
    });
    expect((await openReports(await ofAdmin())).products).toMatchObject([
      { id, reasons: { offensive: 1 } },
    ]);
    await refused(resolveReports(await ofAdmin(), id, 'Dismissed', seen), 'conflict');
  });

  test('are refused when there is no such product, none open, or another admin was faster', async () => {
    await refused(resolveReports(await ofAdmin(), randomUUID(), 'x'), 'products.notFound');
    const { id } = await live(market, seller, admin);
    await refused(resolveReports(await ofAdmin(), id, 'x'), 'conflict');
    await report(id, 'fraud');
    const contexts = [
      await ofAdmin(),
      await market.ctx(admin, { db: market.database.another({ max: 2 }).db }),
    ];
    expect(await outcomes(contexts.map((ctx, n) => resolveReports(ctx, id, `by ${n}`)))).toEqual([
      'conflict',
      'kept',
    ]);
  });

  for (const body of [
    {},
    { resolution: ' ' },
    { resolution: 'x'.repeat(501) },
    { resolution: 'x', seen: 'now' },
    { resolution: 'x', by: 'me' },
  ]) {
    test(`refuse ${JSON.stringify(body).slice(0, 40)}`, async () => {
      const { id } = await live(market, seller, admin);
      await report(id, 'fraud');
      expect(
        (await market.call(`/api/admin/reports/${id}/resolve`, { json: body, as: admin })).status,
      ).toBe(400);
      expect(await rows(id)).toMatchObject([{ resolvedAt: null }]);
    });
  }

  test('refuse a reason that there is not', async () => {
    expect((await market.call('/api/admin/reports?reason=envy', { as: admin })).status).toBe(400);
  });

  for (const [who, person, code] of [
    ['a visitor', undefined, 'signInRequired'],
    ['a member', member, 'forbidden'],
    ['a seller', seller, 'forbidden'],
    ['a suspended seller', suspendedSeller, 'forbidden'],
  ] as const) {
    test(`are not for ${who}`, async () => {
      await refused(openReports(await market.ctx(person)), code);
      await refused(resolveReports(await market.ctx(person), randomUUID(), 'x'), code);
    });
  }
});

describe('a reported product that is removed', () => {
  test('leaves its slot, is hidden, closes its reports and tells the seller, all at once', async () => {
    const { id, slotId } = await live(market, seller, admin);
    await report(id, 'fraud');
    await report(id, 'stolen');
    const answer = await market.call(`/api/admin/reports/${id}/remove`, {
      json: { resolution: ' Stolen, says the owner ' },
      as: admin,
    });
    expect(answer).toMatchObject({ status: 200, body: { id, slotId, resolved: 2 } });
    expect(await slotOf(market, id)).toBeUndefined();
    expect(await productRow(market, id)).toMatchObject({
      removedAt: market.clock.now(),
      listing: { endedAt: market.clock.now() },
    });
    expect((await market.call(`/api/slots/${slotId}`)).status).toBe(404);
    expect(await openReports(await ofAdmin())).toMatchObject({ total: 0 });
    for (const row of await rows(id))
      expect(row).toMatchObject({ resolution: 'Stolen, says the owner', resolvedBy: admin.userId });
    expect(
      (await market.mails.allTo(seller.email)).filter((mail) =>
        mail.subject.includes('has been taken down after reports'),
      ),
    ).toHaveLength(1);
    expect(
      (await market.db.select().from(auditLog).orderBy(auditLog.id))
        .slice(-3)
        .map((line) => line.action),
    ).toEqual(['slot.remove', 'queue.remove', 'report.resolve']);
  });

  test('leaves its queue, and comes back into it when it is restored; a live one comes back as ended', async () => {
    const shown = await live(market, seller, admin);
    const waiting = await live(market, seller, admin);
    for (const { id } of [shown, waiting]) await report(id, 'fraud');
    await removeFromSlot(await ofAdmin(), waiting.slotId, { productId: waiting.id, requeue: true });
    expect(await queueRows(market)).toHaveLength(1);
    for (const { id } of [shown, waiting]) await removeReported(await ofAdmin(), id, 'x');
    expect(await queueRows(market)).toEqual([]);
    expect(await restoreProduct(await ofAdmin(), waiting.id)).toMatchObject({ queued: true });
    expect(await restoreProduct(await ofAdmin(), shown.id)).toMatchObject({ queued: false });
    expect((await productRow(market, shown.id)).listing?.endedAt).not.toBeNull();
  });

  test('stays as it is when another admin has closed its reports, or when it is gone', async () => {
    const { id, slotId } = await live(market, seller, admin);
    await report(id, 'fraud');
    await resolveReports(await ofAdmin(), id, 'Nothing wrong');
    await refused(removeReported(await ofAdmin(), id, 'x'), 'conflict');
    expect((await slotOf(market, id))?.id).toBe(slotId);
    await refused(removeReported(await ofAdmin(), randomUUID(), 'x'), 'queue.notFound');
    await report(id, 'stolen');
    const contexts = [
      await ofAdmin(),
      await market.ctx(admin, { db: market.database.another({ max: 2 }).db }),
    ];
    expect(await outcomes(contexts.map((ctx) => removeReported(ctx, id, 'x')))).toEqual([
      'kept',
      'queue.removed',
    ]);
  });
});

test('closed reports are listed together as they were closed, the last first, with what was done and by whom', async () => {
  const { id } = await live(market, seller, admin, { name: { en: 'Radio' } });
  const other = await live(market, seller, admin);
  await report(id, 'stolen');
  await report(id, 'fraud');
  await resolveReports(await ofAdmin(), id, 'Called the seller');
  market.clock.advance({ hours: 1 });
  await report(other.id, 'other');
  await removeReported(await ofAdmin(), other.id, 'Forbidden');
  await report(id, 'offensive');
  const { body } = await market.call<Awaited<ReturnType<typeof closedReports>>>(
    '/api/admin/reports/closed',
    { as: admin },
  );
  expect(body).toMatchObject({
    total: 2,
    closed: [
      { productId: other.id, resolution: 'Forbidden', count: 1, removed: true, restorable: true },
      {
        productId: id,
        name: { en: 'Radio' },
        resolution: 'Called the seller',
        count: 2,
        reasons: ['fraud', 'stolen'],
        by: 'Admin',
        removed: false,
      },
    ],
  });
  market.clock.advance({ days: 30 });
  expect((await closedReports(await ofAdmin())).closed[0]).toMatchObject({
    removed: true,
    restorable: false,
  });
  await refused(closedReports(await market.ctx(seller)), 'forbidden');
  await refused(removeReported(await market.ctx(seller), id, 'x'), 'forbidden');
});
