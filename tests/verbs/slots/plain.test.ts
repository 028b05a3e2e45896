import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { slotCount } from '../../../api/shared/slots.ts';
import type { HomepageSlot } from '../../../api/slots/reads.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { sturdy } from '../../support/database.ts';
import { live, runQueue } from '../../support/products.ts';

/**
 * The grid when its first read fails in the database: a table or column is missing, or holds wrong
 * data.
 */
const market = await testApp();
const { seller, admin } = await actors(market);
const { slots, slotEngagement, products } = schema;
let mends: (() => Promise<unknown>)[] = [];
beforeEach(() => market.reset());
afterEach(async () => {
  for (const mend of mends) await mend();
  mends = [];
});

async function away(
  what: 'table sellers' | 'table slot_engagement' | 'table products' | 'column',
): Promise<void> {
  const [gone, back] =
    what === 'column'
      ? [
          'alter table sellers rename column verified_whatsapp to away',
          'alter table sellers rename column away to verified_whatsapp',
        ]
      : [
          `alter ${what} rename to away`,
          `alter table away rename to ${what.replace('table ', '')}`,
        ];
  await sturdy(() => market.sql.unsafe(gone));
  mends.push(() => sturdy(() => market.sql.unsafe(back)));
}
const grid = async () =>
  (await market.call<{ slots: HomepageSlot[]; plain: boolean }>('/api/slots')).body;
const shown = ({ slots: all }: { slots: HomepageSlot[] }) =>
  all.filter((slot) => slot.slot_active).map((slot) => slot.slot_id);
const setSlot = (id: number, values: Partial<typeof slots.$inferInsert>) =>
  market.db.update(slots).set(values).where(eq(slots.id, id));
const reports = () =>
  market.logged.filter(({ message }) => message.includes('the plainer read serves'));

describe('the plainer read', () => {
  test.each(['table sellers', 'column', 'table slot_engagement'] as const)(
    'serves the grid when a %s is gone that the first one needs',
    async (what) => {
      const { slotId, id } = await live(market, seller, admin);
      const whole = (await grid()).slots.find((slot) => slot.slot_id === slotId);
      await away(what);
      const answer = await grid();
      expect(answer.plain).toBe(true);
      expect(answer.slots.map((slot) => slot.slot_id).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: slotCount }, (_, n) => n + 1),
      );
      expect(answer.slots[0]).toEqual({
        ...whole,
        slot_id: slotId,
        product_id: id,
        product_category: null,
        seller_verified: null,
      });
      expect(shown(answer)).toEqual([slotId]);
    },
  );

  test('has what is active, approved and still running, featured first and then by number', async () => {
    const places = [];
    for (let n = 0; n < 5; n++)
      places.push(
        await live(market, seller, admin, {
          listingType: n === 4 ? 'featured' : 'standard',
          durationHours: 120,
        }),
      );
    const [first = 0, second = 0, third = 0, fourth = 0, premium = 0] = places.map(
      ({ slotId }) => slotId,
    );
    const over = await live(market, seller, admin, { durationHours: 24 });
    market.clock.advance({ hours: 24 });
    await setSlot(third, { isFeatured: true });
    await setSlot(premium, { isFeatured: false });
    await setSlot(fourth, {
      pausedAt: market.clock.now(),
      pausedBy: 'admin',
      remainingDuration: 3600,
      endTime: new Date('2126-01-01'),
    });
    await market.db
      .update(products)
      .set({ status: 'active' })
      .where(eq(products.id, places[1]?.id ?? ''));
    expect(shown(await grid())).toEqual(
      [premium, first, second, third, over.slotId].toSorted((a, b) => a - b),
    );
    await away('table sellers');
    const answer = await grid();
    expect(shown(answer)).toEqual([third, premium, first]);
    expect(answer.slots).toHaveLength(slotCount);
    expect(answer.slots.find((slot) => slot.slot_id === second)).toMatchObject({
      slot_active: false,
      product_name: null,
      product_images: [],
    });
  });

  test('caps views and shares, and does without figures that cannot be read', async () => {
    const { slotId } = await live(market, seller, admin);
    const counted = { views: 2_000_000, clicks: 1_500_000, messageTaps: 3, shares: 1_000_000 };
    await market.db.update(slotEngagement).set(counted).where(eq(slotEngagement.slotId, slotId));
    expect((await grid()).slots[slotId - 1]?.engagement).toEqual(counted);
    await away('column');
    expect((await grid()).slots[0]?.engagement).toEqual({
      ...counted,
      views: 999_999,
      shares: 999_999,
    });
    await away('table slot_engagement');
    expect((await grid()).slots[0]?.engagement).toEqual({
      views: 0,
      clicks: 0,
      messageTaps: 0,
      shares: 0,
    });
  });

  test('serves the grid when the first one answers fewer slots than there are', async () => {
    const { slotId } = await live(market, seller, admin);
    await market.db.delete(slotEngagement).where(eq(slotEngagement.slotId, 54));
    mends.push(() => market.db.insert(slotEngagement).values({ slotId: 54 }));
    const answer = await grid();
    expect([answer.plain, answer.slots.length, shown(answer)]).toEqual([true, slotCount, [slotId]]);
  });

  test.each([
    ['photos', '[{"key": 7}]', 'images'],
    ['a name', '{"en": ["Radio"]}', 'name'],
  ])(
    'leaves out a product with nonsense for %s, and shows the others',
    async (_, nonsense, column) => {
      const broken = await live(market, seller, admin);
      const sound = await live(market, seller, admin);
      await market.sql.unsafe(
        `update products set ${column} = '${nonsense}'::jsonb where id = '${broken.id}'`,
      );
      const answer = await grid();
      expect([answer.plain, shown(answer)]).toEqual([true, [sound.slotId]]);
    },
  );

  test('names no seller’s number', async () => {
    await live(market, seller, admin);
    await away('table slot_engagement');
    expect(JSON.stringify(await grid())).not.toContain(seller.whatsapp.slice(4));
  });

  test('gives way to the first one when that works again', async () => {
    await live(market, seller, admin);
    await away('table sellers');
    expect((await grid()).plain).toBe(true);
    for (const mend of mends.splice(0)) await mend();
    expect((await grid()).plain).toBe(false);
  });
});

describe('the failure', () => {
  test('is reported once, however many ask, and again when it lasts', async () => {
    // Lets the report of the earlier tests' failures expire.
    market.clock.advance({ days: 1 });
    await away('table sellers');
    for (let asked = 0; asked < 20; asked++) await grid();
    expect(reports()).toMatchObject([{ level: 'error' }]);
    expect(JSON.stringify(reports()[0])).toContain('sellers');
    market.clock.advance({ minutes: 10 });
    await grid();
    await grid();
    expect(reports()).toHaveLength(2);
  });

  test('of both is an error as any other', async () => {
    await away('table products');
    expect((await market.call('/api/slots')).status).toBe(500);
    for (const mend of mends.splice(0)) await mend();
    await runQueue(market);
    expect((await grid()).plain).toBe(false);
  });
});
