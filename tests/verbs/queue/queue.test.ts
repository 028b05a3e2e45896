import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { edit } from '../../../api/products/edit.ts';
import { markSold } from '../../../api/products/markSold.ts';
import { relist } from '../../../api/products/relist.ts';
import { moveInQueue } from '../../../api/queue/move.ts';
import { queueLength, queuePageOf, queueStats, removedProducts } from '../../../api/queue/reads.ts';
import { rebuildQueue } from '../../../api/queue/rebuild.ts';
import { removeFromQueue } from '../../../api/queue/remove.ts';
import { restoreProduct } from '../../../api/queue/restore.ts';
import { removeFromSlot } from '../../../api/slots/remove.ts';
import { actors, suspend, unsuspend } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { emptyAuditLog } from '../../support/audit.ts';
import { approved, draft, live, photoRow, queueRows, runQueue } from '../../support/products.ts';
import { featured, preferring, queueActions } from '../../support/queue.ts';
import { refused } from '../../support/refusals.ts';
import { plain } from '../../support/text.ts';

const market = await testApp();
const { member, seller, otherSeller, suspendedSeller, admin } = await actors(market);
beforeEach(async () => {
  await market.reset();
  await unsuspend(market, otherSeller);
});
const { ofAdmin, top, order, wait } = queueActions(market, { seller, admin });

describe('the list', () => {
  test('shows a lane a page at a time, with positions and neighbours across pages', async () => {
    const { id } = await approved(market, seller, admin);
    await market.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`insert into products (id, slug, status, approved_at, name) select gen_random_uuid(), 'p-' || n, 'approved', now(), ${{ en: 'Many' } as never} from generate_series(1, 44) as n`;
      await tx`insert into queue_items (product_id, queue_name, priority, band, position, queued_at, item_data)
        select id, 'queue:regular', 0, 1, 4096 + row_number() over (order by slug), now(), '{}' from products where slug like 'p-%'`;
    });
    const all = await order();
    const pages = await Promise.all(
      [1, 2, 3, 4].map(async (page) =>
        queuePageOf(await ofAdmin(), { queueName: 'queue:regular', page }),
      ),
    );
    expect(pages.map((page) => page.items.length)).toEqual([20, 20, 5, 0]);
    expect(pages.flatMap((page) => page.items.map((item) => item.productId))).toEqual(all);
    const items = pages.flatMap((page) => page.items);
    expect(items.map((item) => item.position)).toEqual(all.map((_, n) => n + 1));
    expect(items.map((item) => item.ahead)).toEqual([null, ...all.slice(0, -1)]);
    expect(items.map((item) => item.behind)).toEqual([...all.slice(1), null]);
    expect(pages[2]).toMatchObject({ total: 45, page: 3, pageSize: 20 });
    expect(items[0]).toMatchObject({
      productId: id,
      priority: 'normal',
      usualHours: 2,
      seller: { name: seller.name },
      product: { durationSeconds: 72 * 3600 },
    });
    expect(await queueLength(await ofAdmin(), 'queue:regular')).toBe(45);
  });

  test('says when each was queued, which no move changes, and when its turn may come', async () => {
    const [a, b] = await wait(featured, preferring);
    const queued = new Map(
      (await queueRows(market)).map((row) => [row.productId, row.queuedAt.toISOString()]),
    );
    await top(a);
    const { items } = await queuePageOf(await ofAdmin(), { queueName: 'queue:featured' });
    expect(items).toMatchObject([
      {
        productId: a,
        priority: 'featured',
        preferredSlot: null,
        queuedAt: queued.get(a),
        estimateAt: market.clock.now().toISOString(),
        usualHours: 1.5,
      },
      { productId: b, preferredSlot: 3, queuedAt: queued.get(b), usualHours: 3 },
    ]);
  });

  test('counts past suspended sellers, whose products keep their place', async () => {
    const { id: skipped } = await approved(market, otherSeller, admin);
    const [next] = await wait({});
    await suspend(market, otherSeller);
    const { items } = await queuePageOf(await ofAdmin(), { queueName: 'queue:regular' });
    expect(items).toMatchObject([
      { productId: skipped, position: 1, estimateAt: null, seller: { suspended: true } },
      { productId: next, position: 2, estimateAt: market.clock.now().toISOString() },
    ]);
  });
});

describe('the stat cards', () => {
  test('show the specified figures, and nothing measured while there is nothing to measure', async () => {
    expect(await queueStats(await ofAdmin())).toEqual({
      averageWait: {
        usualHoursPerPlace: { 'queue:featured': 1.5, 'queue:regular': 2 },
        measuredHours: null,
        measuredListings: 0,
        measuredDays: 30,
      },
      processingRate: { perDay: 12, measuredPerDay: null, measuredDays: 7 },
      priorityItems: 0,
      waiting: { 'queue:featured': 0, 'queue:regular': 0 },
    });
  });

  test('measure waits from approval to slot, and how many go live a day', async () => {
    await approved(market, seller, admin);
    market.clock.advance({ hours: 2 });
    await approved(market, seller, admin);
    market.clock.advance({ hours: 1 });
    await runQueue(market);
    await wait(featured, preferring, {});
    expect(await queueStats(await ofAdmin())).toMatchObject({
      averageWait: { measuredHours: 2, measuredListings: 2 },
      processingRate: { measuredPerDay: 2 },
      priorityItems: 2,
      waiting: { 'queue:featured': 2, 'queue:regular': 1 },
    });
    market.clock.advance({ days: 4 });
    expect(await queueStats(await ofAdmin())).toMatchObject({
      processingRate: { measuredPerDay: 0.5 },
    });
    market.clock.advance({ days: 27 });
    expect(await queueStats(await ofAdmin())).toMatchObject({
      averageWait: { measuredHours: null },
      processingRate: { measuredPerDay: null },
    });
  });

  test('keep the wait of a listing whose product is listed again', async () => {
    const { id } = await approved(market, seller, admin);
    market.clock.advance({ hours: 3 });
    await runQueue(market);
    const measured = async () => (await queueStats(await ofAdmin())).averageWait;
    const first = { measuredHours: 3, measuredListings: 1 };
    expect(await measured()).toMatchObject(first);
    market.clock.advance({ hours: 1 });
    await markSold(await market.ctx(seller), id);
    await relist(await market.ctx(seller), id);
    expect(await measured()).toMatchObject(first);
    market.clock.advance({ hours: 1 });
    await runQueue(market);
    expect(await measured()).toMatchObject({ measuredHours: 2, measuredListings: 2 });
    await markSold(await market.ctx(seller), id);
    await edit(await market.ctx(seller), id, {
      ...draft(),
      images: [await photoRow(market, seller)],
      businessName: undefined,
    });
    expect(await measured()).toMatchObject({ measuredHours: 2, measuredListings: 2 });
  });

  test('leave out a listing that an admin queued again: it has no single wait', async () => {
    const { id, slotId } = await live(market, seller, admin);
    market.clock.advance({ hours: 40 });
    await removeFromSlot(await ofAdmin(), slotId, { productId: id, requeue: true });
    await runQueue(market);
    await emptyAuditLog(market);
    expect((await queueStats(await ofAdmin())).averageWait).toMatchObject({
      measuredHours: null,
      measuredListings: 0,
    });
  });
});

describe('the queue is for admins alone:', () => {
  for (const [who, person, code] of [
    ['a visitor', undefined, 'signInRequired'],
    ['a member', member, 'forbidden'],
    ['a seller', seller, 'forbidden'],
    ['a suspended seller', suspendedSeller, 'forbidden'],
  ] as const) {
    test(`${who} neither sees nor touches it`, async () => {
      const ctx = await market.ctx(person);
      const id = randomUUID();
      await refused(queuePageOf(ctx, { queueName: 'queue:regular' }), code);
      await refused(queueLength(ctx, 'queue:regular'), code);
      await refused(queueStats(ctx), code);
      await refused(removedProducts(ctx), code);
      await refused(moveInQueue(ctx, id, { direction: 'up' }), code);
      await refused(removeFromQueue(ctx, id), code);
      await refused(restoreProduct(ctx, id), code);
      await refused(rebuildQueue(ctx, 'queue:regular'), code);
    });
  }
});

describe('the routes', () => {
  const call = (path: string, json?: unknown) =>
    market.call<Record<string, unknown>>(`/api/admin/queue${path}`, {
      ...(json ? { json } : {}),
      as: admin,
    });
  const post = (path: string) =>
    market.call<Record<string, unknown>>(`/api/admin/queue${path}`, { method: 'POST', as: admin });

  test('list, move, remove, restore, rebuild and assign', async () => {
    const [a, b, c] = await wait({}, {}, {});
    expect((await call(`/${c}/move`, { direction: 'up', past: b })).body).toEqual({
      synced: false,
    });
    expect((await post(`/${a}/remove`)).body).toEqual({ id: a, wasQueued: true });
    expect((await call('/removed')).body).toMatchObject({
      products: [{ id: a, sellerName: seller.name }],
    });
    expect((await post(`/${a}/restore`)).body).toEqual({ id: a, queued: true });
    expect((await call('/rebuild', { queueName: 'queue:regular' })).body).toEqual({
      queueName: 'queue:regular',
      count: 3,
    });
    const { body } = await call('?queueName=queue:regular&page=1');
    expect((body.items as { productId: string }[]).map((item) => item.productId)).toEqual([
      a,
      c,
      b,
    ]);
    expect((await call(`/${b}/assign`, {})).body).toMatchObject({ slotId: 11, productId: b });
    expect((await call(`/${c}/assign`, { slotId: 3, duration: 'own' })).body).toMatchObject({
      slotId: 3,
    });
    expect((await call('/stats')).body).toMatchObject({ waiting: { 'queue:regular': 1 } });
  });

  test('say in the admin’s language what was wrong', async () => {
    const { id } = await live(market, seller, admin);
    const { status, body } = await market.call(`/api/admin/queue/${id}/move`, {
      json: { direction: 'up' },
      as: admin,
      language: 'fr',
    });
    expect([status, plain(body.error.message)]).toEqual([
      409,
      'Ce produit occupe déjà l’emplacement #11. Rien n’a été modifié. Actualisez pour voir la file à jour.',
    ]);
    expect((await call(`/${id}/move`, { direction: 'sideways' })).status).toBe(400);
    expect((await call(`/${id}/assign`, { slotId: 55 })).status).toBe(400);
    expect((await call('?queueName=queue:other')).status).toBe(400);
  });
});
