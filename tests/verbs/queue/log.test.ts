import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { relist } from '../../../api/products/relist.ts';
import { withdraw } from '../../../api/products/withdraw.ts';
import { rebuildQueue } from '../../../api/queue/rebuild.ts';
import { type QueueFault, verifyQueue } from '../../../api/queue/verify.ts';
import { assignToSlot } from '../../../api/slots/assign.ts';
import { actors, suspend, unsuspend } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { behindTheTriggers } from '../../support/credits.ts';
import { runQueue } from '../../support/products.ts';
import { queueActions } from '../../support/queue.ts';
import { rawEntry } from '../../support/queueEntries.ts';
import { refusal } from '../../support/rows.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(async () => {
  await unsuspend(market, seller);
  await market.reset();
});
const { sql } = market;
const { ofAdmin, up, down, top, remove, restore, wait } = queueActions(market, { seller, admin });
const verified = async () => verifyQueue(market.job('verify-queue'));
const regular = 'queue:regular';
const entries = async () => [
  ...(await sql`select act, reason, product_id as product, actor_kind as who, actor_code as code from queue_entries order by queue_name, serial`),
];

describe('every change of a line', () => {
  test('is an entry that says why and by which role, and names nobody', async () => {
    const [a, b, c] = await wait({}, {}, {});
    await up(b);
    await down(b);
    await top(c);
    await rebuildQueue(await ofAdmin(), regular);
    await remove(a);
    await restore(a);
    await suspend(market, seller);
    await unsuspend(market, seller);
    await assignToSlot(await ofAdmin(), { productId: b });
    await withdraw(await market.ctx(seller), c);
    await runQueue(market);
    await relist(await market.ctx(seller), c);
    const said = (await entries()).map(({ act, reason, product, who }) => [
      act,
      reason,
      [a, b, c].indexOf(product),
      who,
    ]);
    expect(said).toEqual([
      ...[0, 1, 2].map((n) => ['enter', 'approved', n, 'admin']),
      ['move', 'up', 1, 'admin'],
      ['move', 'passed', 0, 'admin'],
      ['move', 'down', 0, 'admin'],
      ['move', 'passed', 1, 'admin'],
      ['move', 'top', 2, 'admin'],
      ['order', 'rebuilt', -1, 'admin'],
      ['leave', 'removed', 0, 'admin'],
      ['enter', 'restored', 0, 'admin'],
      ...[2, 0, 1].map((n) => ['hold', 'suspended', n, 'job']),
      ...[2, 0, 1].map((n) => ['release', 'unsuspended', n, 'job']),
      ['leave', 'byHand', 1, 'admin'],
      ['leave', 'withdrawn', 2, 'seller'],
      ['leave', 'turn', 0, 'job'],
      ['enter', 'relisted', 2, 'seller'],
    ]);
    expect(
      new Set((await entries()).filter(({ who }) => who === 'admin').map(({ code }) => code)).size,
    ).toBe(1);
    const text = JSON.stringify(await sql`select * from queue_entries`);
    for (const { name, email, userId, sellerId } of [seller, admin])
      for (const known of [name, email, userId, sellerId])
        if (known) expect(text).not.toContain(known);
    expect((await verified()).faults).toEqual([]);
  });

  test('is one or two entries, however many wait', async () => {
    const [a, , , d] = await wait({}, {}, {}, {});
    const before = (await entries()).length;
    await top(d);
    expect((await entries()).length).toBe(before + 1);
    await down(a);
    expect((await entries()).length).toBe(before + 3);
    await rebuildQueue(await ofAdmin(), regular);
    expect((await entries()).length).toBe(before + 4);
  });

  test('can be made by its entry alone, and no entry be taken back: Postgres refuses the rest', async () => {
    const [a, b] = await wait({}, {});
    const unlogged = 'queue_items_follow';
    expect(await refusal(sql`update queue_items set position = 1 where product_id = ${b}`)).toBe(
      unlogged,
    );
    expect(
      await refusal(sql`update queue_items set product_id = ${a} where product_id = ${b}`),
    ).toBe(unlogged);
    expect(await refusal(sql`update queue_items set band = 0`)).toBe(unlogged);
    expect(await refusal(sql`delete from queue_items`)).toBe(unlogged);
    expect(await refusal(sql`truncate queue_items`)).toBe(unlogged);
    expect(
      await refusal(
        sql`insert into queue_items (product_id, queue_name, band, position, queued_at, item_data) values (${a}, ${regular}, 1, 9, now(), '{}')`,
      ),
    ).toBe(unlogged);
    for (const statement of [
      'update queue_entries set reason = reason',
      'delete from queue_entries',
      'truncate queue_entries',
      'delete from queue_logs',
    ])
      expect(await refusal(sql.unsafe(statement))).toBe('23001');
    for (const statement of [
      'update queue_logs set entries = 0',
      `update queue_logs set head = '${'a'.repeat(64)}'`,
    ])
      expect(await refusal(sql.unsafe(statement))).toBe('23001');
    const move = {
      act: 'move',
      reason: 'top',
      product_id: b,
      from_band: 1,
      from_position: 2048,
      to_band: 0,
      to_position: 1,
    };
    const entry = (columns: Record<string, unknown>) =>
      refusal(sql.begin((tx) => rawEntry(tx as never, { ...move, ...columns })));
    expect(await entry({ serial: 9 })).toBe('queue_entries_follow');
    expect(await entry({ previous: 'b'.repeat(64) })).toBe('queue_entries_follow');
    expect(await entry({ from_position: 2047 })).toBe('queue_entries_true');
    expect(await entry({ queue_name: 'queue:featured', previous: '' })).toBe('queue_entries_true');
    expect(await entry({ product_id: randomUUID() })).toBe('queue_entries_true');
    expect(await entry({ to_band: 1, to_position: 1024 })).toBe('queue_order');
    const line = {
      act: 'order',
      reason: 'rebuilt',
      product_id: null,
      from_band: null,
      from_position: null,
      to_band: null,
      to_position: null,
      front: 0,
    };
    expect(await entry({ ...line, line: [b, a] })).toBe('queue_entries_true');
    expect(await entry({ ...line, line: [a] })).toBe('queue_entries_true');
    expect(await entry({ ...line, line: [a, b], front: 1 })).toBe('queue_entries_true');
    expect(await entry({ reason: 'boredom' })).toBe('queue_entries_reason_known');
    expect((await verified()).faults).toEqual([]);
  });

  test('of a line that was there before its log begins with the whole of it', async () => {
    const [a, b] = await wait({}, {});
    await behindTheTriggers(market, 'delete from queue_entries; delete from queue_logs');
    expect((await verified()).faults.map(({ what }) => what)).toEqual(['place', 'place']);
    await sql`update slots set active = active`;
    await suspend(market, seller);
    await runQueue(market);
    expect((await entries()).map(({ act, reason }) => [act, reason])).toEqual([
      ['order', 'opened'],
      ['hold', 'suspended'],
      ['hold', 'suspended'],
    ]);
    expect((await sql`select line from queue_entries where serial = 1`)[0]?.line).toEqual([a, b]);
    expect((await verified()).faults).toEqual([]);
  });
});

describe('the replay of the log', () => {
  const at = (serial: number) => `queue_name = '${regular}' and serial = ${serial}`;
  const fault = (fields: Partial<QueueFault>) =>
    expect.objectContaining({ queueName: regular, ...fields });

  test('is the present order', async () => {
    const [, b, c] = await wait({}, {}, {}, { listingType: 'featured' });
    await top(c);
    await up(b);
    expect(await verified()).toEqual({ entries: 7, waiting: 4, faults: [] });
  });

  test.each([
    "reason = 'top'",
    'to_position = 4',
    `product_id = '${randomUUID()}'`,
    "actor_kind = 'seller'",
    "actor_code = 'x'",
    "at = at - interval '1 day'",
    `hash = '${'c'.repeat(64)}'`,
  ])('names an entry that was changed behind the triggers’ back: %s', async (change) => {
    await wait({}, {}, {});
    await behindTheTriggers(market, `update queue_entries set ${change} where ${at(2)}`);
    expect((await verified()).faults).toContainEqual(fault({ entry: 2, what: 'changed' }));
  });

  test('names an entry that is missing, one in the place of another, and one that nobody signed', async () => {
    const [a, , c] = await wait({}, {}, {});
    await behindTheTriggers(market, `delete from queue_entries where ${at(2)}`);
    expect((await verified()).faults).toContainEqual(fault({ entry: 2, what: 'missing' }));
    await behindTheTriggers(market, `update queue_entries set serial = 2 where ${at(3)}`);
    expect((await verified()).faults).toEqual(
      expect.arrayContaining([
        fault({ entry: 2, what: 'changed' }),
        fault({ entry: 3, what: 'missing' }),
      ]),
    );
    await market.reset();
    const [d] = await wait({});
    await sql.begin((tx) =>
      rawEntry(tx as never, {
        act: 'move',
        reason: 'top',
        product_id: d,
        from_band: 1,
        from_position: 1024,
        to_band: 0,
        to_position: 1,
      }),
    );
    expect((await verified()).faults).toEqual([fault({ entry: 2, productId: d, what: 'changed' })]);
    await behindTheTriggers(
      market,
      `delete from queue_entries where ${at(2)}; update queue_logs set entries = 1`,
    );
    expect((await verified()).faults).toContainEqual(fault({ entry: null, what: 'log' }));
    expect([a, c]).not.toContain(d);
  });

  test('names whoever does not wait where the log says, whom it does not know, and who is passed over without an entry', async () => {
    const [a, b, c] = await wait({}, {}, {});
    await behindTheTriggers(
      market,
      `update queue_items set position = 7 where product_id = '${b}'; delete from queue_items where product_id = '${c}'`,
    );
    expect((await verified()).faults).toEqual([
      fault({ productId: b, what: 'place' }),
      fault({ productId: c, what: 'place' }),
    ]);
    await behindTheTriggers(
      market,
      `update queue_items set position = 2048 where product_id = '${b}'`,
    );
    await behindTheTriggers(
      market,
      `update sellers set suspended = true, suspended_reason = 'x', suspended_at = now() where id = '${seller.sellerId}'`,
    );
    expect(
      (await verified()).faults
        .filter(({ what }) => what === 'held')
        .map(({ productId }) => productId)
        .sort(),
    ).toEqual([a, b].sort());
  });
});
