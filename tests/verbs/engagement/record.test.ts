import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { requestContact } from '../../../api/contact/request.ts';
import { isCrawler, recordEvent } from '../../../api/engagement/record.ts';
import { rollUpEngagement } from '../../../api/engagement/rollup.ts';
import type { EngagementEvent } from '../../../api/engagement/schema.ts';
import { productCode } from '../../../api/shared/slugs/productCode.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { live, runQueue } from '../../support/products.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());
const { engagementEvents, productDaily, slotEngagement } = schema;

const event = (
  { id, slotId }: { id: string; slotId: number },
  type: EngagementEvent['type'] = 'view',
): EngagementEvent => ({ slotId, productId: id, type });
const browser = (userAgent: string, visitor: string | null = null) => ({
  client: { visitor, addressHash: 'a', userAgent },
});
const record = async (
  what: EngagementEvent,
  visitor: string = randomUUID(),
  userAgent = 'Mozilla/5.0 (Android 14) Chrome/140',
) => recordEvent(await market.ctx(undefined, browser(userAgent, visitor)), what, visitor);
const rollUp = () => rollUpEngagement(market.job('roll-up-engagement'));
const countersOf = async (slotId: number) =>
  (await market.db.select().from(slotEngagement).where(eq(slotEngagement.slotId, slotId)))[0];
const daily = () => market.db.select().from(productDaily).orderBy(productDaily.day);

describe('a view', () => {
  test('counts once per visitor and product in thirty minutes', async () => {
    const place = await live(market, seller, admin);
    const visitor = randomUUID();
    expect(await record(event(place), visitor)).toBe(true);
    market.clock.advance({ minutes: 29, seconds: 59 });
    expect(await record(event(place), visitor)).toBe(false);
    market.clock.advance({ seconds: 1 });
    expect(await record(event(place), visitor)).toBe(true);
  });

  test('counts for each visitor and each product apart', async () => {
    const one = await live(market, seller, admin);
    const two = await live(market, seller, admin);
    const visitor = randomUUID();
    expect([
      await record(event(one), visitor),
      await record(event(two), visitor),
      await record(event(one)),
    ]).toEqual([true, true, true]);
  });

  test('of a stall, which knows only the eight digits, and of its page are one', async () => {
    const place = await live(market, seller, admin);
    const visitor = randomUUID();
    expect(await record({ ...event(place), productId: productCode(place.id) }, visitor)).toBe(true);
    expect(await record(event(place), visitor)).toBe(false);
    expect(await market.db.select().from(engagementEvents)).toMatchObject([
      { productId: place.id, slotId: place.slotId },
    ]);
  });

  test('of one visitor in ten tabs at once counts once', async () => {
    const place = await live(market, seller, admin);
    const visitor = randomUUID();
    const counted = await Promise.all(
      Array.from({ length: 10 }, () => record(event(place), visitor)),
    );
    expect(counted.filter(Boolean)).toHaveLength(1);
  });
});

test('a click and a share count each time', async () => {
  const place = await live(market, seller, admin);
  const visitor = randomUUID();
  for (const type of ['click', 'share', 'click', 'share'] as const)
    expect(await record(event(place, type), visitor)).toBe(true);
  expect(await market.db.select().from(engagementEvents)).toHaveLength(4);
});

describe('nothing is counted', () => {
  const crawlers = [
    'Googlebot/2.1',
    'facebookexternalhit/1.1',
    'WhatsApp/2.23',
    'Mozilla/5.0 (compatible; bingbot/2.0)',
    'Slackbot-LinkExpanding',
    'curl-fetch',
    'TelegramBot (like TwitterBot)',
    '',
  ];
  for (const userAgent of crawlers) {
    test(`for the crawler “${userAgent}”`, async () => {
      expect(isCrawler(await market.ctx(undefined, browser(userAgent)))).toBe(true);
      const place = await live(market, seller, admin);
      expect(await record(event(place), randomUUID(), userAgent)).toBe(false);
      expect(await market.db.select().from(engagementEvents)).toEqual([]);
    });
  }

  test('for a pair of slot and product that is not so', async () => {
    const one = await live(market, seller, admin);
    const two = await live(market, seller, admin);
    expect(await record({ slotId: one.slotId, productId: two.id, type: 'view' })).toBe(false);
    expect(await record({ slotId: 54, productId: one.id, type: 'view' })).toBe(false);
    expect(await record({ slotId: one.slotId, productId: randomUUID(), type: 'click' })).toBe(
      false,
    );
  });
});

test('people’s browsers are no crawlers', async () => {
  for (const userAgent of [
    'Mozilla/5.0 (Linux; Android 14; TECNO BG6) AppleWebKit/537.36 Chrome/130 Mobile Safari/537.36',
    'Opera/9.80 (J2ME/MIDP; Opera Mini/9.80)',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1',
  ]) {
    expect(isCrawler(await market.ctx(undefined, browser(userAgent)))).toBe(false);
  }
});

describe('the roll-up', () => {
  test('moves events into the slot’s counters and the product’s daily figures', async () => {
    const place = await live(market, seller, admin);
    for (const type of ['view', 'view', 'click', 'share'] as const)
      await record(event(place, type));
    await requestContact(await market.ctx(), place.id, true);
    expect(await rollUp()).toBe(5);
    expect(await countersOf(place.slotId)).toMatchObject({
      views: 2,
      clicks: 1,
      messageTaps: 1,
      shares: 1,
    });
    expect(await daily()).toEqual([
      { productId: place.id, day: '2026-11-23', views: 2, clicks: 1, messageTaps: 1, shares: 1 },
    ]);
  });

  test('counts each event once, however often it runs', async () => {
    const place = await live(market, seller, admin);
    await record(event(place));
    expect(await rollUp()).toBe(1);
    expect(await rollUp()).toBe(0);
    await record(event(place));
    const runs = await Promise.all([
      rollUp(),
      rollUpEngagement(market.job('x', market.database.another({ max: 1 }).db)),
    ]);
    expect(runs.sort()).toEqual([0, 1]);
    expect(await countersOf(place.slotId)).toMatchObject({ views: 2 });
  });

  test('divides days at midnight in Douala, which is 23:00 UTC', async () => {
    market.clock.set('2026-11-23T22:59:59Z');
    const place = await live(market, seller, admin);
    await record(event(place));
    market.clock.advance({ seconds: 1 });
    await record(event(place));
    await rollUp();
    expect((await daily()).map((row) => [row.day, row.views])).toEqual([
      ['2026-11-23', 1],
      ['2026-11-24', 1],
    ]);
  });

  test('gives events of an assignment that is over to the product alone, not to who is in the slot now', async () => {
    const before = await live(market, seller, admin, { durationHours: 24 });
    await record(event(before, 'click'));
    market.clock.advance({ hours: 24 });
    const next = await live(market, seller, admin);
    expect(next.slotId).toBe(before.slotId);
    await record(event(next, 'view'));
    await rollUp();
    expect(await countersOf(next.slotId)).toMatchObject({ views: 1, clicks: 0 });
    expect((await daily()).map((row) => [row.productId, row.views, row.clicks])).toEqual([
      [before.id, 0, 1],
      [next.id, 1, 0],
    ]);
  });

  test('takes the rest in the next run when there is more than it takes at once', async () => {
    const place = await live(market, seller, admin);
    for (let n = 0; n < 5; n++) await record(event(place, 'click'));
    expect(await rollUpEngagement(market.job('x'), { limit: 3 })).toBe(3);
    expect(await rollUpEngagement(market.job('x'), { limit: 3 })).toBe(2);
    expect(await countersOf(place.slotId)).toMatchObject({ clicks: 5 });
  });
});

test('the product’s history outlives its place in the slot', async () => {
  const place = await live(market, seller, admin);
  await record(event(place));
  await rollUp();
  market.clock.set(place.endTime);
  await runQueue(market);
  expect(await countersOf(place.slotId)).toMatchObject({ views: 0 });
  expect((await daily())[0]).toMatchObject({ productId: place.id, views: 1 });
});
