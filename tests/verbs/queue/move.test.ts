import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { withdraw } from '../../../api/products/withdraw.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { live, queueRows, submitted } from '../../support/products.ts';
import { featured, loseFromQueue, preferring, queueActions } from '../../support/queue.ts';
import { refused } from '../../support/refusals.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());
const { up, down, top, remove, order, bands, wait, lastAudit } = queueActions(market, {
  seller,
  admin,
});

describe('a move', () => {
  test('up and down changes places with the neighbour and touches nobody else', async () => {
    const [a, b, c] = await wait({}, {}, {});
    const before = await queueRows(market);
    expect(await up(c)).toEqual({ synced: false });
    expect(await order()).toEqual([a, c, b]);
    await down(a);
    expect(await order()).toEqual([c, a, b]);
    expect((await queueRows(market)).map((row) => row.position).sort((x, y) => x - y)).toEqual(
      before.map((row) => row.position),
    );
    for (const row of before)
      expect((await queueRows(market)).find((now) => now.id === row.id)).toMatchObject({
        queuedAt: row.queuedAt,
        itemData: row.itemData,
      });
  });

  test('to the top goes before everybody, and stays ahead of who comes later with a preference', async () => {
    const [a, b, c] = await wait(featured, featured, preferring);
    expect(await order('queue:featured')).toEqual([c, a, b]);
    await top(b);
    expect(await order('queue:featured')).toEqual([b, c, a]);
    const [d] = await wait(preferring);
    expect(await order('queue:featured')).toEqual([b, c, d, a]);
  });

  test('to the top of a lane without band 0 makes one', async () => {
    const [a, b, c] = await wait({}, {}, {});
    await top(c);
    expect(await order()).toEqual([c, a, b]);
    expect(await bands()).toEqual([0, 1, 1]);
  });

  test('of band 1 past one of band 0 joins band 0, whichever of the two is moved', async () => {
    const [a, b, w] = await wait(featured, featured, preferring);
    await up(a);
    expect(await order('queue:featured')).toEqual([a, w, b]);
    expect(await bands()).toEqual([0, 0, 1]);
    await down(w);
    expect(await order('queue:featured')).toEqual([a, b, w]);
    expect(await bands()).toEqual([0, 0, 0]);
    const [x] = await wait(preferring);
    expect(await order('queue:featured')).toEqual([a, b, w, x]);
    expect(
      (await queueRows(market)).filter((row) => row.priority === 1).every((row) => row.band === 0),
    ).toBe(true);
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
    await loseFromQueue(market, a);
    expect(await up(a)).toEqual({ synced: true });
    expect(await lastAudit()).toMatchObject({
      action: 'queue.sync',
      subjectId: a,
      after: { queueName: 'queue:regular' },
    });
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
    await refused(top(id), 'queue.removed');
  });

  test('looks at its neighbours by index, however long the lane is', async () => {
    await market.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`insert into queue_items (product_id, queue_name, priority, band, position, queued_at, item_data)
        select gen_random_uuid(), 'queue:regular', 0, 1, n * 1024, now(), '{}' from generate_series(1, 20000) as n`;
    });
    await market.sql`analyze queue_items`;
    const plan =
      await market.sql`explain select * from queue_items where queue_name = 'queue:regular' and (band, position) < (1::smallint, 10240000::bigint)
      order by band desc, position desc limit 1 for update`;
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toMatch(/Index Scan Backward using queue_order/);
    expect(text).not.toMatch(/Sort/);
  });
});
