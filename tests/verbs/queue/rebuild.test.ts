import { beforeEach, describe, expect, test } from 'vitest';
import { rebuildQueue } from '../../../api/queue/rebuild.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { queueRows } from '../../support/products.ts';
import { featured, preferring, queueActions } from '../../support/queue.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());
const { ofAdmin, up, top, order, wait, lastAudit } = queueActions(market, { seller, admin });

describe('a rebuild', () => {
  test('spreads the positions evenly and keeps order, bands and queued_at', async () => {
    const [a, b, w, c] = await wait(featured, featured, preferring, featured);
    const [other] = await wait({});
    await top(c);
    await top(b);
    await up(w);
    const before = await queueRows(market);
    expect(await rebuildQueue(await ofAdmin(), 'queue:featured')).toEqual({
      queueName: 'queue:featured',
      count: 4,
    });
    const after = await queueRows(market);
    const { 0: first, 1: second, 2: third } = await order('queue:featured');
    expect([first, second, third]).toEqual([b, w, c]);
    expect(after.map(({ position: _, ...row }) => row)).toEqual(
      before.map(({ position: _, ...row }) => row),
    );
    expect(after.map((row) => [row.band, row.position])).toEqual([
      [0, 1024],
      [0, 2048],
      [0, 3072],
      [1, 4096],
      [1, 1024],
    ]);
    expect([a, other]).toEqual([after[3]?.productId, after[4]?.productId]);
    expect(await lastAudit()).toMatchObject({
      action: 'queue.rebuild',
      subjectKind: 'queue',
      subjectId: 'queue:featured',
      after: { count: 4 },
    });
  });

  test('of an empty lane is nothing', async () => {
    expect(await rebuildQueue(await ofAdmin(), 'queue:regular')).toEqual({
      queueName: 'queue:regular',
      count: 0,
    });
  });
});
