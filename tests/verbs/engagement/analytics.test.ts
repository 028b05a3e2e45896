import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { requestContact } from '../../../api/contact/request.ts';
import type { MarketInfo } from '../../../api/engagement/info.ts';
import type { Analytics } from '../../../api/engagement/reads.ts';
import { recordEvent } from '../../../api/engagement/record.ts';
import { rollUpEngagement } from '../../../api/engagement/rollup.ts';
import { clickThroughRate, daysOf } from '../../../api/engagement/rules.ts';
import type { EngagementEvent } from '../../../api/engagement/schema.ts';
import { removeSeller } from '../../../api/sellers/remove.ts';
import { schema } from '../../../db/client.ts';
import { actors, signUpSeller } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { live, runQueue } from '../../support/products.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());

type Place = { id: string; slotId: number };
async function happen(
  { id, slotId }: Place,
  counts: Partial<Record<EngagementEvent['type'], number>>,
) {
  for (const [type, count] of Object.entries(counts)) {
    for (let n = 0; n < count; n++)
      await recordEvent(
        await market.ctx(),
        { slotId, productId: id, type: type as EngagementEvent['type'] },
        randomUUID(),
      );
  }
}
const rollUp = () => rollUpEngagement(market.job('roll-up-engagement'));
const figures = async (range = '7d') =>
  (await market.call<Analytics>(`/api/admin/analytics?range=${range}`, { as: admin })).body;
const csv = async (query: string) => {
  const answer = await market.request(`/api/admin/analytics.csv?${query}`, { as: admin });
  return {
    answer,
    text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer()),
  };
};

describe('the analytics', () => {
  test('count what people did: totals, click-through rate and contacts, rolled up or not yet', async () => {
    const place = await live(market, seller, admin);
    await happen(place, { view: 8, click: 3, share: 2 });
    await requestContact(await market.ctx(), place.id, true);
    const fresh = await figures();
    expect(fresh.totals).toEqual({
      views: 8,
      clicks: 3,
      messageTaps: 1,
      shares: 2,
      clickThroughRate: 37.5,
    });
    await rollUp();
    expect(await figures()).toEqual(fresh);
    await happen(place, { view: 1 });
    expect((await figures()).totals.views).toBe(9);
  });

  test('show every day of the range, days without events as zero, by the calendar of Douala', async () => {
    market.clock.set('2026-11-20T22:59:59Z');
    const place = await live(market, seller, admin, { durationHours: 120 });
    await happen(place, { view: 1 });
    market.clock.advance({ seconds: 1 });
    await happen(place, { view: 2 });
    market.clock.set('2026-11-22T23:00:00Z');
    const { days, today } = await figures();
    expect(today).toBe('2026-11-23');
    expect(days.map(({ day, views }) => [day, views])).toEqual([
      ['2026-11-17', 0],
      ['2026-11-18', 0],
      ['2026-11-19', 0],
      ['2026-11-20', 1],
      ['2026-11-21', 2],
      ['2026-11-22', 0],
      ['2026-11-23', 0],
    ]);
  });

  test('leave out what is older than the range, and find it in a longer one', async () => {
    const place = await live(market, seller, admin, { durationHours: 120 });
    await happen(place, { view: 4, click: 1 });
    await rollUp();
    market.clock.advance({ days: 6 });
    expect((await figures('7d')).totals.views).toBe(4);
    market.clock.advance({ days: 1 });
    expect((await figures('7d')).totals).toEqual({
      views: 0,
      clicks: 0,
      messageTaps: 0,
      shares: 0,
      clickThroughRate: null,
    });
    expect((await figures('7d')).top).toEqual([]);
    const month = await figures('30d');
    expect([month.days.length, month.totals.views]).toEqual([30, 4]);
    market.clock.advance({ days: 82 });
    expect([(await figures('90d')).days.length, (await figures('90d')).totals.views]).toEqual([
      90, 4,
    ]);
    market.clock.advance({ days: 1 });
    expect((await figures('90d')).totals.views).toBe(0);
  });

  test('rank the top five slots by views, clicks and shares; contacts do not count there', async () => {
    const places: Place[] = [];
    for (let n = 0; n < 7; n++)
      places.push(
        await live(market, seller, admin, { name: { en: `Drum ${n}`, fr: `Tambour ${n}` } }),
      );
    for (const [n, place] of places.entries())
      await happen(place, { view: n, click: n === 2 ? 9 : 0, share: n === 1 ? 2 : 0 });
    await requestContact(await market.ctx(), places[0]?.id ?? '', true);
    const { top } = await figures();
    expect(
      top.map(({ slotId, engagement, name }) => [slotId, engagement, (name as { en: string }).en]),
    ).toEqual([
      [13, 11, 'Drum 2'],
      [17, 6, 'Drum 6'],
      [16, 5, 'Drum 5'],
      [15, 4, 'Drum 4'],
      [12, 3, 'Drum 1'],
    ]);
  });

  test('add up a slot’s products, name the strongest, and stay true when a product is deleted', async () => {
    const first = await live(market, seller, admin, {
      durationHours: 24,
      name: { en: 'Stew pot', fr: 'Marmite' },
    });
    await happen(first, { view: 3 });
    market.clock.set(first.endTime);
    const second = await live(market, seller, admin, { name: { en: 'Radio', fr: 'Radio' } });
    expect(second.slotId).toBe(first.slotId);
    await happen(second, { view: 1 });
    await rollUp();
    expect((await figures()).top).toMatchObject([
      { slotId: first.slotId, views: 4, products: 2, name: { en: 'Stew pot' } },
    ]);
    await market.db
      .update(schema.uploads)
      .set({ productId: null })
      .where(eq(schema.uploads.productId, first.id));
    await market.db.delete(schema.products).where(eq(schema.products.id, first.id));
    expect((await figures()).top).toMatchObject([
      { slotId: first.slotId, views: 4, products: 2, name: null },
    ]);
  });

  test('count what the home page calls visits, of products that were deleted too', async () => {
    await market.db
      .insert(schema.settings)
      .values({ key: 'statsMeasured', value: true, updatedAt: market.clock.now() });
    const person = await signUpSeller(market);
    await happen(await live(market, seller, admin), { view: 2 });
    await happen(await live(market, person, admin), { view: 5, click: 1 });
    const visits = async () => (await market.call<MarketInfo>('/api/market')).body.measured?.visits;
    const both = async () => [await visits(), (await figures('30d')).totals.views];
    expect(await both()).toEqual([7, 7]);
    await rollUp();
    expect(await both()).toEqual([7, 7]);
    await removeSeller(await market.ctx(admin), person.sellerId ?? '');
    expect(await both()).toEqual([7, 7]);
    market.clock.advance({ days: 29 });
    expect(await both()).toEqual([7, 7]);
    market.clock.advance({ days: 1 });
    expect(await both()).toEqual([0, 0]);
  });

  test('refuse a range that is none', async () => {
    expect((await market.call('/api/admin/analytics?range=8d', { as: admin })).status).toBe(400);
    expect((await market.call<Analytics>('/api/admin/analytics', { as: admin })).body.range).toBe(
      '7d',
    );
  });
});

describe('the CSV', () => {
  test('is named by its range, with headers and names in the reader’s language', async () => {
    market.clock.set('2026-11-23T08:00:00Z');
    const place = await live(market, seller, admin, {
      name: { en: 'Drum, "large"', fr: 'Tambour' },
    });
    await happen(place, { view: 2, share: 1 });
    const { answer, text } = await csv('range=7d&language=en');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/csv; charset=utf-8',
    ]);
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="marche54-analytics-7d.csv"',
    );
    const lines = text.split('\r\n');
    expect(lines[0]).toBe('\uFEFFDate,Slot,Product,Views,Clicks,WhatsApp contacts,Shares');
    expect(lines[1]).toBe('2026-11-17,,,0,0,0,0');
    expect(lines[7]).toBe('2026-11-23,#11,"Drum, ""large""",2,0,0,1');
    expect(lines).toHaveLength(9);
    const french = (await csv('range=30d&language=fr')).text.split('\r\n');
    expect(french[0]).toBe('\uFEFFDate;Emplacement;Produit;Vues;Clics;Contacts WhatsApp;Partages');
    expect(french[30]).toBe('2026-11-23;#11;Tambour;2;0;0;1');
  });

  test('turns no product name into a formula', async () => {
    const place = await live(market, seller, admin, {
      name: { en: '=HYPERLINK("http://evil.example","x")', fr: '@SUM(1)' },
    });
    await happen(place, { view: 1 });
    expect((await csv('range=7d')).text).toContain(
      `,"'=HYPERLINK(""http://evil.example"",""x"")",`,
    );
    expect((await csv('range=7d&language=fr')).text).toContain(";'@SUM(1);");
  });
});

test('a rate of nothing is nothing, and is rounded to one decimal otherwise', () => {
  const figures = (views: number, clicks: number) => ({ views, clicks, messageTaps: 0, shares: 0 });
  expect([
    clickThroughRate(figures(0, 0)),
    clickThroughRate(figures(3, 1)),
    clickThroughRate(figures(2, 2)),
  ]).toEqual([null, 33.3, 100]);
});

test('the days of a range end today, across months', () => {
  expect(daysOf('7d', '2026-03-02')).toEqual([
    '2026-02-24',
    '2026-02-25',
    '2026-02-26',
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02',
  ]);
});

describe('events that come together', () => {
  const write = async (
    place: Place,
    type: EngagementEvent['type'],
    visitor: string = randomUUID(),
  ) =>
    recordEvent(await market.ctx(), { slotId: place.slotId, productId: place.id, type }, visitor);

  test('are all kept, each with its own answer, and written in few statements', async () => {
    const place = await live(market, seller, admin);
    const ctx = await market.ctx();
    const answers = await Promise.all([
      ...Array.from({ length: 700 }, () =>
        recordEvent(
          ctx,
          { slotId: place.slotId, productId: place.id, type: 'click' },
          randomUUID(),
        ),
      ),
      recordEvent(ctx, { slotId: 54, productId: place.id, type: 'click' }, randomUUID()),
      recordEvent(ctx, { slotId: place.slotId, productId: place.id, type: 'view' }, 'one'),
      recordEvent(ctx, { slotId: place.slotId, productId: place.id, type: 'view' }, 'one'),
    ]);
    expect(answers.slice(0, 700).every(Boolean)).toBe(true);
    expect(answers.slice(700)).toEqual([false, true, false]);
    const rows = await market.sql<
      { batches: number; events: number }[]
    >`select count(distinct xmin::text)::int as batches, count(*)::int as events from engagement_events`;
    expect(rows[0]?.events).toBe(701);
    expect(rows[0]?.batches).toBeLessThan(10);
  });

  test('count a visitor’s view once when two processes write at the same time', async () => {
    const place = await live(market, seller, admin);
    const pools = [
      market.db,
      market.database.another({ max: 2 }).db,
      market.database.another({ max: 2 }).db,
    ];
    for (let round = 0; round < 10; round++) {
      const visitor = randomUUID();
      const ctxs = await Promise.all(pools.map((db) => market.ctx(undefined, { db })));
      const counted = await Promise.all(
        ctxs.map((ctx) =>
          recordEvent(ctx, { slotId: place.slotId, productId: place.id, type: 'view' }, visitor),
        ),
      );
      expect(counted.filter(Boolean)).toHaveLength(1);
    }
  });

  test('fail together when the database is away, and the next ones are written again', async () => {
    const place = await live(market, seller, admin);
    await market.sql`alter table engagement_events rename to away`;
    const failed = await Promise.allSettled([write(place, 'click'), write(place, 'share')]);
    await market.sql`alter table away rename to engagement_events`;
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await write(place, 'click')).toBe(true);
  });

  test('lock no row that the market’s pages are made from', async () => {
    const place = await live(market, seller, admin);
    const holder = await market.sql.reserve();
    try {
      await holder`begin`;
      await holder`update slots set updated_at = now() where id = ${place.slotId}`;
      await holder`update slot_engagement set views = views where slot_id = ${place.slotId}`;
      expect(await write(place, 'view')).toBe(true);
    } finally {
      await holder`rollback`;
      holder.release();
    }
  });
});

test('figures outlive the place in the slot', async () => {
  const place = await live(market, seller, admin, { durationHours: 24 });
  await happen(place, { view: 2 });
  await rollUp();
  market.clock.set(place.endTime);
  await runQueue(market);
  expect((await figures()).totals.views).toBe(2);
});
