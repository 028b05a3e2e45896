import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { publicProduct } from '../../api/products/public.ts';
import { withdraw } from '../../api/products/withdraw.ts';
import { moveInQueue } from '../../api/queue/move.ts';
import { queueLength, queuePageOf, queueStats, removedProducts } from '../../api/queue/reads.ts';
import { rebuildQueue } from '../../api/queue/rebuild.ts';
import { removeFromQueue } from '../../api/queue/remove.ts';
import { restoreProduct } from '../../api/queue/restore.ts';
import { assignToSlot } from '../../api/slots/assign.ts';
import { removeFromSlot } from '../../api/slots/remove.ts';
import { schema } from '../../db/client.ts';
import { actors, suspend, unsuspend } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { approved, live, productRow, queueRows, runQueue, submitted } from '../support/products.ts';
import { refused } from '../support/refusals.ts';
import { plain } from '../support/text.ts';

const market = await testApp();
const { member, seller, otherSeller, suspendedSeller, admin } = await actors(market);
beforeEach(async () => {
  await market.reset();
  await unsuspend(market, otherSeller);
});
const { auditLog, queueItems } = schema;
const ofAdmin = () => market.ctx(admin);
const lastAudit = async () => (await market.db.select().from(auditLog).orderBy(sql`id desc`).limit(1))[0];
const up = async (id: string, past?: string) => moveInQueue(await ofAdmin(), id, { direction: 'up', past });
const down = async (id: string, past?: string) => moveInQueue(await ofAdmin(), id, { direction: 'down', past });
const top = async (id: string) => moveInQueue(await ofAdmin(), id, { direction: 'top' });
const remove = async (id: string) => removeFromQueue(await ofAdmin(), id);
const restore = async (id: string) => restoreProduct(await ofAdmin(), id);
const order = async (queueName = 'queue:regular') => (await queueRows(market)).filter((row) => row.queueName === queueName).map((row) => row.productId);
const bands = async () => (await queueRows(market)).map((row) => row.band);
const wish = { listingType: 'featured', preferredFeaturedSlot: 3 } as const;
const featured = { listingType: 'featured' } as const;
/** Products that wait, a minute apart. */
async function wait(...wishes: Parameters<typeof approved>[3][]): Promise<[string, string, string, string, string]> {
  const ids: string[] = [];
  for (const overrides of wishes) {
    market.clock.advance({ minutes: 1 });
    ids.push((await approved(market, seller, admin, overrides)).id);
  }
  return ids as [string, string, string, string, string];
}
/** Takes queue items away as no verb does. */
const lose = (id: string) =>
  market.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`delete from queue_items where product_id = ${id}`;
  });

describe('a move', () => {
  test('up and down changes places with the neighbour and touches nobody else', async () => {
    const [a, b, c] = await wait({}, {}, {});
    const before = await queueRows(market);
    expect(await up(c)).toEqual({ synced: false });
    expect(await order()).toEqual([a, c, b]);
    await down(a);
    expect(await order()).toEqual([c, a, b]);
    expect((await queueRows(market)).map((row) => row.position).sort((x, y) => x - y)).toEqual(before.map((row) => row.position));
    for (const row of before)
      expect((await queueRows(market)).find((now) => now.id === row.id)).toMatchObject({ queuedAt: row.queuedAt, itemData: row.itemData });
  });

  test('to the top goes before everybody, and stays ahead of who comes later with a wish', async () => {
    const [a, b, c] = await wait(featured, featured, wish);
    expect(await order('queue:featured')).toEqual([c, a, b]);
    await top(b);
    expect(await order('queue:featured')).toEqual([b, c, a]);
    const [d] = await wait(wish);
    expect(await order('queue:featured')).toEqual([b, c, d, a]);
  });

  test('to the top of a lane without band 0 makes one', async () => {
    const [a, b, c] = await wait({}, {}, {});
    await top(c);
    expect(await order()).toEqual([c, a, b]);
    expect(await bands()).toEqual([0, 1, 1]);
  });

  test('of band 1 past one of band 0 joins band 0, whichever of the two is moved', async () => {
    const [a, b, w] = await wait(featured, featured, wish);
    await up(a);
    expect(await order('queue:featured')).toEqual([a, w, b]);
    expect(await bands()).toEqual([0, 0, 1]);
    await down(w);
    expect(await order('queue:featured')).toEqual([a, b, w]);
    expect(await bands()).toEqual([0, 0, 0]);
    const [x] = await wait(wish);
    expect(await order('queue:featured')).toEqual([a, b, w, x]);
    expect((await queueRows(market)).filter((row) => row.priority === 1).every((row) => row.band === 0)).toBe(true);
  });

  test('at either end is refused and changes nothing', async () => {
    const [a, b] = await wait({}, {});
    await refused(up(a), 'queue.atTop');
    await refused(top(a), 'queue.atTop');
    await refused(down(b), 'queue.atBottom');
    expect(await order()).toEqual([a, b]);
  });

  test('past another neighbour than the one that was seen is refused', async () => {
    const [a, b, c] = await wait({}, {}, {});
    await up(c, b);
    await refused(up(c, b), 'queue.changed');
    expect(await order()).toEqual([a, c, b]);
    await up(c, a);
    await refused(up(c, a), 'queue.changed');
    await down(a, b);
    expect(await order()).toEqual([c, b, a]);
  });

  test('stays within its lane and is audited', async () => {
    const [a, b] = await wait(featured, {});
    await refused(up(b), 'queue.atTop');
    await refused(down(a), 'queue.atBottom');
    const [c] = await wait({});
    await up(c);
    expect(await lastAudit()).toMatchObject({
      action: 'queue.move',
      subjectKind: 'product',
      subjectId: c,
      actorId: admin.userId,
      before: { queueName: 'queue:regular', band: 1, position: 2048 },
      after: { direction: 'up', passed: b, band: 1, position: 1024 },
    });
  });

  test('of a product that is missing from its queue puts it back, and moves it the next time', async () => {
    const [a, b] = await wait({}, {});
    await lose(a);
    expect(await up(a)).toEqual({ synced: true });
    expect(await lastAudit()).toMatchObject({ action: 'queue.sync', subjectId: a, after: { queueName: 'queue:regular' } });
    expect(await order()).toEqual([b, a]);
    expect(await up(a)).toEqual({ synced: false });
    expect(await order()).toEqual([a, b]);
  });

  test('of what waits nowhere is refused with the reason', async () => {
    await refused(up(randomUUID()), 'queue.notFound');
    await refused(up((await submitted(market, seller)).id), 'queue.notWaiting');
    const { id } = await live(market, seller, admin);
    expect((await refused(top(id), 'queue.alreadyAssigned')).params).toEqual({ slot: '11' });
    await withdraw(await market.ctx(seller), id);
    await refused(top(id), 'queue.notWaiting');
    await remove(id);
    await refused(top(id), 'queue.notFound');
  });

  test('looks at its neighbours by index, however long the lane is', async () => {
    await market.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`insert into queue_items (product_id, queue_name, priority, band, position, queued_at, item_data)
        select gen_random_uuid(), 'queue:regular', 0, 1, n * 1024, now(), '{}' from generate_series(1, 20000) as n`;
    });
    await market.sql`analyze queue_items`;
    const plan = await market.sql`explain select * from queue_items where queue_name = 'queue:regular' and (band, position) < (1::smallint, 10240000::bigint)
      order by band desc, position desc limit 1 for update`;
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toMatch(/Index Scan Backward using queue_order_idx/);
    expect(text).not.toMatch(/Sort/);
  });
});

describe('a removal', () => {
  test('hides the product everywhere at once and tells the seller', async () => {
    const { id } = await approved(market, otherSeller, admin);
    market.clock.advance({ minutes: 1 });
    expect(await remove(id)).toEqual({ id, wasQueued: true });
    const now = market.clock.now();
    expect(await productRow(market, id)).toMatchObject({ removedAt: now, listingEndedAt: now, status: 'approved' });
    expect(await queueRows(market)).toEqual([]);
    expect(await publicProduct(await market.ctx(), (await productRow(market, id)).slug)).toBeUndefined();
    await refused(withdraw(await market.ctx(otherSeller), id), 'products.notFound');
    expect((await runQueue(market)).processedCount).toBe(0);
    const mail = await market.mails.lastTo(otherSeller.email);
    expect(plain(mail.subject)).toBe('« Samsung Galaxy A14, comme neuf » a été supprimé');
    expect(await lastAudit()).toMatchObject({ action: 'queue.remove', subjectId: id, before: { queue: { queueName: 'queue:regular' } } });
    await refused(remove(id), 'queue.notFound');
  });

  test('of a product that was not in the queue says so', async () => {
    const pending = await submitted(market, seller);
    expect(await remove(pending.id)).toEqual({ id: pending.id, wasQueued: false });
    expect(await productRow(market, pending.id)).toMatchObject({ status: 'pending', listingEndedAt: null });
    const { id } = await approved(market, seller, admin);
    await lose(id);
    expect(await remove(id)).toEqual({ id, wasQueued: false });
  });

  test('of a product that has got a slot meanwhile is refused', async () => {
    const { id } = await live(market, seller, admin);
    await refused(remove(id), 'queue.alreadyAssigned');
    await refused(remove(randomUUID()), 'queue.notFound');
  });
});

describe('a restored product', () => {
  test.each([0, 1, 2])('that was number %i is between its neighbours again, with its time in the queue', async (index) => {
    const ids = (await wait({}, {}, {})).slice(0, 3);
    const id = ids[index] as string;
    const before = (await queueRows(market)).find((row) => row.productId === id);
    await remove(id);
    const [newcomer] = await wait({});
    market.clock.advance({ days: 29 });
    expect(await restore(id)).toEqual({ id, queued: true });
    expect(await order()).toEqual([...ids, newcomer]);
    expect((await queueRows(market)).find((row) => row.productId === id)).toMatchObject({ queuedAt: before?.queuedAt, itemData: before?.itemData });
    expect(await productRow(market, id)).toMatchObject({ removedAt: null, listingEndedAt: null });
    expect((await market.mails.lastTo(seller.email)).subject).toBe('“Samsung Galaxy A14” has been restored');
    expect(await lastAudit()).toMatchObject({ action: 'queue.restore', subjectId: id, after: { queued: true } });
  });

  test('that had been put back from a slot still has the time that was left', async () => {
    const { id, slotId } = await live(market, seller, admin);
    market.clock.advance({ hours: 70 });
    await removeFromSlot(await ofAdmin(), slotId, { productId: id, requeue: true });
    await remove(id);
    market.clock.advance({ days: 3 });
    await restore(id);
    expect(await queueRows(market)).toMatchObject([{ productId: id, remainingSeconds: 2 * 3600 }]);
    expect((await queuePageOf(await ofAdmin(), { queueName: 'queue:regular' })).items).toMatchObject([
      { productId: id, remainingSeconds: 2 * 3600, product: { durationSeconds: 72 * 3600 } },
    ]);
  });

  test('comes back between those that stayed where they were, also after a rebuild', async () => {
    const [a, b, c, d] = await wait({}, {}, {}, {});
    await remove(c);
    await top(d);
    await rebuildQueue(await ofAdmin(), 'queue:regular');
    await restore(c);
    expect(await order()).toEqual([d, a, b, c]);
  });

  test('goes ahead of all who were queued later when both neighbours are gone', async () => {
    const [a, b, c] = await wait({}, {}, {});
    await remove(b);
    const [d] = await wait({});
    for (const id of [a, c]) await assignToSlot(await ofAdmin(), { productId: id });
    await restore(b);
    expect(await order()).toEqual([b, d]);
  });

  test('with a wish is in band 0 again', async () => {
    const [a, w, x] = await wait(featured, wish, wish);
    await remove(w);
    await restore(w);
    expect(await order('queue:featured')).toEqual([w, x, a]);
    expect(await queueRows(market)).toMatchObject([
      { priority: 1, band: 0 },
      { priority: 1, band: 0 },
      { priority: 0, band: 1 },
    ]);
  });

  test('finds room however often it leaves and comes back, while others squeeze in', async () => {
    const [a, b, c] = await wait({}, {}, {});
    const { id: bItem } = (await queueRows(market)).find((row) => row.productId === b) ?? { id: 0 };
    await remove(b);
    // No room at all is left between the two.
    await market.db.update(queueItems).set({ position: 1025 }).where(eq(queueItems.productId, c));
    await restore(b);
    expect(await order()).toEqual([a, b, c]);
    expect((await queueRows(market))[1]?.id).not.toBe(bItem);
  });

  test('that was pending, or had ended, is what it was', async () => {
    const pending = await submitted(market, seller);
    await remove(pending.id);
    expect(await restore(pending.id)).toEqual({ id: pending.id, queued: false });
    expect(await productRow(market, pending.id)).toMatchObject({ status: 'pending', removedAt: null });
    const ended = await live(market, seller, admin);
    await removeFromSlot(await ofAdmin(), ended.slotId, { productId: ended.id });
    const { listingEndedAt } = await productRow(market, ended.id);
    market.clock.advance({ hours: 1 });
    await remove(ended.id);
    expect(await restore(ended.id)).toEqual({ id: ended.id, queued: false });
    expect(await productRow(market, ended.id)).toMatchObject({ listingEndedAt, removedAt: null });
  });

  test('is refused when it is not removed, was restored, never was, or its 30 days are over', async () => {
    const { id } = await approved(market, seller, admin);
    await refused(restore(id), 'queue.notRestorable');
    await remove(id);
    expect((await removedProducts(await ofAdmin())).map((product) => product.id)).toEqual([id]);
    await restore(id);
    await refused(restore(id), 'queue.notRestorable');
    await refused(restore(randomUUID()), 'queue.notFound');
    await remove(id);
    market.clock.advance({ days: 30 });
    await refused(restore(id), 'queue.notRestorable');
    expect(await removedProducts(await ofAdmin())).toEqual([]);
  });
});

describe('a rebuild', () => {
  test('spreads the positions evenly and keeps order, bands and queued_at', async () => {
    const [a, b, w, c] = await wait(featured, featured, wish, featured);
    const [other] = await wait({});
    await top(c);
    await top(b);
    await up(w);
    const before = await queueRows(market);
    expect(await rebuildQueue(await ofAdmin(), 'queue:featured')).toEqual({ queueName: 'queue:featured', count: 4 });
    const after = await queueRows(market);
    const { 0: first, 1: second, 2: third } = await order('queue:featured');
    expect([first, second, third]).toEqual([b, w, c]);
    expect(after.map(({ position: _, ...row }) => row)).toEqual(before.map(({ position: _, ...row }) => row));
    expect(after.map((row) => [row.band, row.position])).toEqual([
      [0, 1024],
      [0, 2048],
      [0, 3072],
      [1, 1024],
      [1, 1024],
    ]);
    expect([a, other]).toEqual([after[3]?.productId, after[4]?.productId]);
    expect(await lastAudit()).toMatchObject({ action: 'queue.rebuild', subjectKind: 'queue', subjectId: 'queue:featured', after: { count: 4 } });
  });

  test('of an empty lane is nothing', async () => {
    expect(await rebuildQueue(await ofAdmin(), 'queue:regular')).toEqual({ queueName: 'queue:regular', count: 0 });
  });
});

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
    const pages = await Promise.all([1, 2, 3, 4].map(async (page) => queuePageOf(await ofAdmin(), { queueName: 'queue:regular', page })));
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
    const [a, b] = await wait(featured, wish);
    const queued = new Map((await queueRows(market)).map((row) => [row.productId, row.queuedAt.toISOString()]));
    await top(a);
    const { items } = await queuePageOf(await ofAdmin(), { queueName: 'queue:featured' });
    expect(items).toMatchObject([
      { productId: a, priority: 'featured', preferredSlot: null, queuedAt: queued.get(a), estimateAt: market.clock.now().toISOString(), usualHours: 1.5 },
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
      averageWait: { usualHoursPerPlace: { 'queue:featured': 1.5, 'queue:regular': 2 }, measuredHours: null, measuredListings: 0, measuredDays: 30 },
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
    await wait(featured, wish, {});
    expect(await queueStats(await ofAdmin())).toMatchObject({
      averageWait: { measuredHours: 2, measuredListings: 2 },
      processingRate: { measuredPerDay: 2 },
      priorityItems: 2,
      waiting: { 'queue:featured': 2, 'queue:regular': 1 },
    });
    market.clock.advance({ days: 4 });
    expect(await queueStats(await ofAdmin())).toMatchObject({ processingRate: { measuredPerDay: 0.5 } });
    market.clock.advance({ days: 27 });
    expect(await queueStats(await ofAdmin())).toMatchObject({ averageWait: { measuredHours: null }, processingRate: { measuredPerDay: null } });
  });

  test('leave out a listing that an admin queued again: it has no single wait', async () => {
    const { id, slotId } = await live(market, seller, admin);
    market.clock.advance({ hours: 40 });
    await removeFromSlot(await ofAdmin(), slotId, { productId: id, requeue: true });
    await runQueue(market);
    expect((await queueStats(await ofAdmin())).averageWait).toMatchObject({ measuredHours: null, measuredListings: 0 });
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

describe('the doors', () => {
  const call = (path: string, json?: unknown) => market.call<Record<string, unknown>>(`/api/admin/queue${path}`, { ...(json ? { json } : {}), as: admin });
  const post = (path: string) => market.call<Record<string, unknown>>(`/api/admin/queue${path}`, { method: 'POST', as: admin });

  test('list, move, remove, restore, rebuild and assign', async () => {
    const [a, b, c] = await wait({}, {}, {});
    expect((await call(`/${c}/move`, { direction: 'up', past: b })).body).toEqual({ synced: false });
    expect((await post(`/${a}/remove`)).body).toEqual({ id: a, wasQueued: true });
    expect((await call('/removed')).body).toMatchObject({ products: [{ id: a, sellerName: seller.name }] });
    expect((await post(`/${a}/restore`)).body).toEqual({ id: a, queued: true });
    expect((await call('/rebuild', { queueName: 'queue:regular' })).body).toEqual({ queueName: 'queue:regular', count: 3 });
    const { body } = await call('?queueName=queue:regular&page=1');
    expect((body.items as { productId: string }[]).map((item) => item.productId)).toEqual([a, c, b]);
    expect((await call(`/${b}/assign`, {})).body).toMatchObject({ slotId: 11, productId: b });
    expect((await call(`/${c}/assign`, { slotId: 3, duration: 'own' })).body).toMatchObject({ slotId: 3 });
    expect((await call('/stats')).body).toMatchObject({ waiting: { 'queue:regular': 1 } });
  });

  test('say in the admin’s language what was wrong', async () => {
    const { id } = await live(market, seller, admin);
    const { status, body } = await market.call(`/api/admin/queue/${id}/move`, { json: { direction: 'up' }, as: admin, language: 'fr' });
    expect([status, plain(body.error.message)]).toEqual([
      409,
      'Ce produit occupe déjà l’emplacement #11. Rien n’a été modifié. Actualisez pour voir la file à jour.',
    ]);
    expect((await call(`/${id}/move`, { direction: 'sideways' })).status).toBe(400);
    expect((await call(`/${id}/assign`, { slotId: 55 })).status).toBe(400);
    expect((await call('?queueName=queue:other')).status).toBe(400);
  });
});
