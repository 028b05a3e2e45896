import { beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '../../../api/core/transaction.ts';
import { goesAhead, wentAhead } from '../../../api/listings/ahead.ts';
import { enqueue } from '../../../api/listings/enqueue.ts';
import { switchNotification } from '../../../api/people/switches.ts';
import { ownProducts } from '../../../api/products/reads.ts';
import { rebuildQueue } from '../../../api/queue/rebuild.ts';
import { tellOvertaken } from '../../../api/queue/tell.ts';
import { assignToSlot } from '../../../api/slots/assign.ts';
import { actors, suspend, unsuspend } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { approved, runQueue } from '../../support/products.ts';
import {
  featured,
  type LaneName,
  loseFromQueue,
  preferring,
  queueActions,
} from '../../support/queue.ts';

/** Sellers see why others passed their waiting listing, without names (decision 056). */
const market = await testApp();
const { seller, otherSeller, admin } = await actors(market);
beforeEach(async () => {
  await unsuspend(market, otherSeller);
  await market.reset();
});
const { ofAdmin, up, down, top, remove, restore, wait } = queueActions(market, { seller, admin });
const job = () => market.job('tell-overtaken');
const whyOf = async (id: string, lane: LaneName = 'queue:regular') =>
  ((await wentAhead(job(), lane, [id])).get(id) ?? []).map(({ why }) => why);

describe('somebody goes ahead', () => {
  test('by a move up, or to the top, past whoever stood between', async () => {
    const [a, b, c, d] = await wait({}, {}, {}, {});
    await up(d);
    await top(d);
    expect(await Promise.all([a, b, c, d].map((id) => whyOf(id)))).toEqual([
      ['top'],
      ['top'],
      ['up'],
      [],
    ]);
  });

  test('by a move down, which only the one that is moved is told', async () => {
    const [a, b, c] = await wait({}, {}, {});
    await down(a);
    expect(await Promise.all([a, b, c].map((id) => whyOf(id)))).toEqual([['down'], [], []]);
  });

  test('by a slot that an admin gives by hand, and not by the timetable, nor by whoever leaves', async () => {
    const [a, b, c, d] = await wait({}, {}, {}, {});
    await assignToSlot(await ofAdmin(), { productId: c });
    await remove(b);
    expect(await Promise.all([a, d].map((id) => whyOf(id)))).toEqual([['byHand'], []]);
    await suspend(market, otherSeller);
    const { id: held } = await approved(market, seller, admin);
    await market.sql`update products set seller_id = ${otherSeller.sellerId} where id = ${held}`;
    await runQueue(market);
    await market.sql`update products set seller_id = ${seller.sellerId} where id = ${held}`;
    expect(await whyOf(held)).toEqual([]);
  });

  test('by getting a lost place back, by the end of a suspension, and by waiting for one premium slot', async () => {
    const [a, b] = await wait(featured, featured);
    const { id: held } = await approved(market, otherSeller, admin, featured);
    const [last] = await wait(featured);
    await suspend(market, otherSeller);
    await remove(a);
    await restore(a);
    await unsuspend(market, otherSeller);
    await wait(preferring);
    const lane = 'queue:featured';
    expect(await Promise.all([a, b, held, last].map((id) => whyOf(id, lane)))).toEqual([
      ['preferred'],
      ['restored', 'preferred'],
      ['restored', 'preferred'],
      ['restored', 'released', 'preferred'],
    ]);
  });

  test('also where the lane was rebuilt before or after, and since a listing came, not before', async () => {
    const [a, b, c] = await wait({}, {}, {});
    await rebuildQueue(await ofAdmin(), 'queue:regular');
    await top(c);
    await rebuildQueue(await ofAdmin(), 'queue:regular');
    await up(b);
    const [late] = await wait({});
    expect(await Promise.all([a, b, late].map((id) => whyOf(id)))).toEqual([
      ['top', 'up'],
      ['top'],
      [],
    ]);
    // A listing that was lost and re-queued starts without a history.
    await loseFromQueue(market, a);
    await inTransaction(market.job('sync'), (tx) => enqueue(tx, a, 'synced'));
    expect(await whyOf(a)).toEqual([]);
  });

  test('as the entry says: to a place or ahead of it, from behind it or from nowhere', () => {
    const entry = (
      from: number | null,
      to: number | null,
      act: 'move' | 'enter' | 'leave' = 'move',
    ) => ({
      act,
      fromBand: from === null ? null : 1,
      fromPosition: from,
      toBand: to === null ? null : 1,
      toPosition: to,
    });
    const at = { band: 1, position: 10 };
    expect(
      [entry(20, 5), entry(20, 10), entry(null, 5, 'enter'), entry(20, null, 'leave')].map((one) =>
        goesAhead(one, at),
      ),
    ).toEqual([true, true, true, true]);
    expect(
      [
        entry(20, 11),
        entry(5, 1),
        entry(5, 20),
        entry(null, 20, 'enter'),
        entry(5, null, 'leave'),
      ].map((one) => goesAhead(one, at)),
    ).toEqual(Array(5).fill(false));
    expect(goesAhead({ ...entry(20, 5), toBand: 0 }, { band: 0, position: 7 })).toBe(true);
  });
});

describe('its seller', () => {
  test('sees how often, and the last times with the reason, on the dashboard', async () => {
    const [a, b, c] = await wait({}, {}, {});
    for (let n = 0; n < 3; n++) {
      await top(c);
      await top(b);
    }
    const { products } = await ownProducts(await market.ctx(seller));
    const shown = (id: string) => products.find((product) => product.id === id)?.wentAhead;
    expect(shown(a)).toMatchObject({ count: 2 });
    expect(shown(b)?.count).toBe(3);
    expect(shown(c)).toEqual({
      count: 3,
      last: Array(3).fill({ at: market.clock.now().toISOString(), why: 'top' }),
    });
  });

  test('is told once, of all listings and reasons together, and can switch it off', async () => {
    const [, b, c] = await wait({}, {}, {});
    const [, premium] = await wait(featured, featured);
    const { id: others } = await approved(market, otherSeller, admin);
    await top(premium);
    await top(others);
    await top(c);
    await up(b);
    expect(await tellOvertaken(job())).toEqual({ told: 2 });
    expect(await tellOvertaken(job())).toEqual({ told: 0 });
    const mine = (await market.mails.allTo(seller.email)).filter(
      ({ subject }) => subject === 'Other listings went ahead of yours in the line',
    );
    expect(mine).toHaveLength(1);
    expect(mine[0]?.text).toContain(
      '“Samsung Galaxy A14”, “Samsung Galaxy A14”, “Samsung Galaxy A14” and 1 more',
    );
    expect(mine[0]?.text).toContain(
      'Our team put another listing at the front of the line.\nOur team moved another listing one place up, past yours.',
    );
    expect((await market.mails.lastTo(otherSeller.email)).text).toContain(
      'Notre équipe a placé une autre annonce en tête de file.',
    );
    await switchNotification(await market.ctx(seller), 'overtaken', false);
    await top(b);
    await tellOvertaken(job());
    expect(
      (await market.mails.allTo(seller.email)).filter(
        ({ subject }) => subject === mine[0]?.subject,
      ),
    ).toHaveLength(1);
  });
});
