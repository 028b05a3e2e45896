import { beforeEach, describe, expect, test } from 'vitest';
import { premiumCount, slotCount } from '../../../api/shared/slots.ts';
import { checkHealth } from '../../../api/upkeep/check.ts';
import type { dashboard } from '../../../api/upkeep/reads.ts';
import { badgeNames } from '../../../api/upkeep/rules.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { approved, live, submitted } from '../../support/products.ts';

const market = await testApp();
const { seller, otherSeller, admin } = await actors(market);
beforeEach(() => market.reset());
const { engagementEvents } = schema;

type Dashboard = Awaited<ReturnType<typeof dashboard>>;

const asJob = () => market.job('check-health');
describe('the overview (product §2)', () => {
  const overview = async () =>
    (await market.call<Dashboard>('/api/admin/dashboard', { as: admin })).body;

  test('of an empty market counts nothing, and says that nothing was checked', async () => {
    const { stats, recent, health } = await overview();
    expect(stats).toEqual({
      totalSlots: slotCount,
      activeProducts: 0,
      featuredProducts: 0,
      featuredTotal: premiumCount,
      queueSize: 0,
      pendingReviews: 0,
    });
    expect(recent).toEqual([]);
    expect(health.badges.map(({ name, status }) => ({ name, status }))).toEqual(
      badgeNames.map((name) => ({ name, status: null })),
    );
  });

  test('counts what is live, queued and pending, and shows the first five slots with views', async () => {
    const premium = await live(market, seller, admin, { listingType: 'featured' });
    const third = await live(market, seller, admin, {
      listingType: 'featured',
      preferredFeaturedSlot: 3,
    });
    const sixth = await live(market, seller, admin, {
      listingType: 'featured',
      preferredFeaturedSlot: 6,
    });
    await live(market, otherSeller, admin);
    await market.db.insert(engagementEvents).values({
      type: 'view',
      slotId: 3,
      productId: third.id,
      visitor: 'v',
      occurredAt: market.clock.now(),
    });
    await approved(market, seller, admin);
    await submitted(market, seller);
    expect([premium.slotId, third.slotId, sixth.slotId]).toEqual([1, 3, 6]);
    const { stats, recent } = await overview();
    expect(stats).toEqual({
      totalSlots: slotCount,
      activeProducts: 4,
      featuredProducts: 3,
      featuredTotal: premiumCount,
      queueSize: 1,
      pendingReviews: 1,
    });
    expect(recent).toMatchObject([
      { id: 1, name: 'Samsung Galaxy A14', sellerName: seller.name, views: 0 },
      { id: 3, views: 1 },
    ]);
    // A paused slot does not count as active (product R7).
    await market.call('/api/admin/slots/1/pause', { json: { productId: premium.id }, as: admin });
    expect(await overview()).toMatchObject({
      stats: { activeProducts: 3, featuredProducts: 2 },
      recent: [{ id: 3 }],
    });
  });

  test('wears the badges of the newest checks', async () => {
    market.storage.failAfter(0);
    await checkHealth(asJob());
    const { health } = await overview();
    expect(health.checkedAt).toBe(market.clock.now().toISOString());
    expect(health.badges).toMatchObject([
      { name: 'database', status: 'healthy' },
      { name: 'storage', status: 'error', message: 'Storage service unavailable' },
      { name: 'analytics', status: 'healthy' },
      { name: 'realtime', status: 'warning' },
    ]);
  });
});
