import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { markSold } from '../../../api/products/markSold.ts';
import { openReports } from '../../../api/reports/reads.ts';
import { reportShop } from '../../../api/reports/reportShop.ts';
import { resolveShopReports } from '../../../api/reports/resolveShopReports.ts';
import { openShopReports } from '../../../api/reports/shopReads.ts';
import { completeProfile } from '../../../api/sellers/profile.ts';
import { shopCard } from '../../../api/shops/cardImage.ts';
import { aroundProduct, shopPage } from '../../../api/shops/reads.ts';
import { relatedTo } from '../../../api/shops/rules.ts';
import { sitemapPages } from '../../../api/sitemap/reads.ts';
import { schema } from '../../../db/client.ts';
import { signInAdmin, signUpSeller, suspend, unsuspend } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { live, submitted } from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';

const market = await testApp();
const admin = await signInAdmin(market);
const { sellers } = schema;
const open = async (businessName: string, location = 'Bonabéri, Douala, Littoral') => {
  const seller = await signUpSeller(market);
  await completeProfile(await market.ctx(seller), { name: 'Secret Ngo', businessName, location });
  return seller;
};
const read = async (slug: string) => shopPage(await market.ctx(), slug);
const shown = async (slug: string) => {
  const shop = await read(slug);
  if (!shop || 'movedTo' in shop) throw new Error(`No shop at ${slug}`);
  return shop;
};
const english = (things: readonly { name?: unknown; product_name?: unknown }[]) =>
  things.map(({ name, product_name }) => ((name ?? product_name) as { en: string }).en);

describe('a shop’s page', () => {
  test('shows what is live, then what was sold in the last 30 days, and nothing else', async () => {
    const seller = await open('Chez Lea');
    await live(market, seller, admin, { name: { en: 'Lamp' } });
    const { id } = await live(market, seller, admin, { name: { en: 'Radio' } });
    await submitted(market, seller, { name: { en: 'Pending' } });
    await markSold(await market.ctx(seller), id);
    const shop = await shown('chez-lea');
    expect(shop).toMatchObject({
      slug: 'chez-lea',
      name: 'Chez Lea',
      place: { en: 'Bonabéri, Douala, Littoral', fr: 'Bonabéri, Douala, Littoral' },
      verified: null,
      since: market.clock.now().toISOString(),
    });
    expect(english(shop.live)).toEqual(['Lamp']);
    expect(english(shop.sold)).toEqual(['Radio']);
    const text = JSON.stringify(shop);
    for (const secret of [seller.whatsapp ?? '', seller.email, 'Secret', seller.sellerId ?? ''])
      expect(text).not.toContain(secret);
    market.clock.advance({ days: 31 });
    expect(await shown('chez-lea')).toMatchObject({ live: [], sold: [] });
  });

  test('says how the seller is verified, for the number of the profile only', async () => {
    const seller = await open('Sure Shop');
    const verified = async (verifiedWhatsapp: string) => {
      await market.db
        .update(sellers)
        .set({
          verified: true,
          verifiedBy: 'chat',
          verifiedAt: market.clock.now(),
          verifiedWhatsapp,
        })
        .where(eq(sellers.id, seller.sellerId ?? ''));
      return (await shown('sure-shop')).verified;
    };
    expect(await verified('+237699887766')).toBeNull();
    expect(await verified(seller.whatsapp ?? '')).toBe('chat');
  });

  test('keeps a number in the place to itself, and names the region in the reader’s language', async () => {
    const seller = await open('Loin', 'Appelez 699 00 12 34, Nord-Ouest');
    expect((await shown('loin')).place).toEqual({ en: 'North West', fr: 'Nord-Ouest' });
    await market.db
      .update(sellers)
      .set({ region: null })
      .where(eq(sellers.id, seller.sellerId ?? ''));
    expect((await shown('loin')).place).toBeNull();
  });

  test('is not found for a suspended or leaving seller, nor without a name', async () => {
    const seller = await open('Parti');
    const id = seller.sellerId ?? '';
    await suspend(market, seller);
    expect(await read('parti')).toBeUndefined();
    await unsuspend(market, seller);
    expect(await read('parti')).toBeDefined();
    await completeProfile(await market.ctx(seller), { name: 'Ngo', businessName: '' });
    expect(await read('parti')).toBeUndefined();
    await completeProfile(await market.ctx(seller), { name: 'Ngo', businessName: 'Parti' });
    expect(await read('parti')).toBeDefined();
    await market.db
      .update(sellers)
      .set({ leavingAt: market.clock.now() })
      .where(eq(sellers.id, id));
    expect(await read('parti')).toBeUndefined();
    for (const slug of ['nobody', '', '%', 'PARTI', 'parti\u0000'.slice(0, 5)])
      if (slug !== 'parti') expect(await read(slug)).toBeUndefined();
  });

  test('is led to by its old slug for a year', async () => {
    const seller = await open('Ancien');
    await completeProfile(await market.ctx(seller), { name: 'Ngo', businessName: 'Nouveau' });
    expect(await read('ancien')).toEqual({ movedTo: 'nouveau' });
    await suspend(market, seller);
    expect(await read('ancien')).toBeUndefined();
    await unsuspend(market, seller);
    market.clock.advance({ days: 366 });
    expect(await read('ancien')).toBeUndefined();
  });
});

describe('listings like another', () => {
  const now = new Date('2026-11-23T08:00:00Z');
  const listing = (product_id: string, category: string | null, region: string, hours = 5) => ({
    slot_active: true,
    product_id,
    end_time: new Date(now.getTime() + hours * 3_600_000).toISOString(),
    product_category: category,
    product_region: region,
    product_region_code: null,
  });

  test('are three at most: of category and region, of the category, of the region', () => {
    const one = listing('one', 'books', 'Centre');
    const others = [
      listing('region', 'toys', 'centre'),
      listing('later', 'books', 'West', 9),
      listing('sooner', 'books', 'West', 1),
      listing('both', 'books', ' CENTRE '),
      listing('neither', 'toys', 'West'),
      listing('over', 'books', 'Centre', 0),
      { ...listing('empty', 'books', 'Centre'), slot_active: false },
    ];
    const related = (from: typeof others) => relatedTo(one, [one, ...from], now);
    expect(related(others).map(({ product_id }) => product_id)).toEqual([
      'both',
      'sooner',
      'later',
    ]);
    expect(related([others[0], others[4]] as typeof others)).toEqual([others[0]]);
    expect(relatedTo(listing('x', null, ''), [listing('y', null, '')], now)).toEqual([]);
  });

  test('come with the shop of a live product, or without one', async () => {
    const [shop, other] = [await open('Autour', 'Garoua, Nord'), await signUpSeller(market)];
    const one = await live(market, shop, admin, { category: 'toys', sellerLocation: 'Garoua' });
    const two = await live(market, other, admin, { category: 'toys', sellerLocation: 'Kribi' });
    const around = async (id: string) => aroundProduct(await market.ctx(), id);
    const first = await around(one.id);
    expect(first?.shop).toEqual({ slug: 'autour', name: 'Autour' });
    expect(first?.related.map(({ product_id }) => product_id)).toEqual([two.id]);
    expect(await around(two.id)).toMatchObject({ shop: null, related: [{ product_id: one.id }] });
    const { id } = await submitted(market, other);
    expect(await around(id)).toBeUndefined();
    const paths = (await sitemapPages(await market.ctx())).map(({ path }) => path);
    expect(paths).toContain('/shops/autour');
    expect(paths).toContain('/market/category/toys');
    expect(paths).toContain('/market/region/north');
    expect(paths).not.toContain('/market/category/automotive');
    expect(paths).not.toContain('/shops/chez-lea');
  });
});

test('a shop is reported once for a reason, seen by admins, and closed with a note', async () => {
  const seller = await open('Louche');
  const ctx = await market.ctx();
  await refused(reportShop(ctx, 'nobody', { reason: 'fraud' }), 'sellers.shopNotFound');
  await reportShop(ctx, 'louche', { reason: 'fraud', note: 'Asked for money' });
  await refused(reportShop(ctx, 'louche', { reason: 'fraud' }), 'reports.alreadyReported');
  await reportShop(ctx, 'louche', { reason: 'other' });
  const asAdmin = await market.ctx(admin);
  const { shops, total } = await openShopReports(asAdmin);
  expect(total).toBe(1);
  expect(shops).toMatchObject([
    {
      name: 'Louche',
      slug: 'louche',
      count: 2,
      reasons: { fraud: 1, other: 1 },
      notes: [{ reason: 'fraud', note: 'Asked for money' }],
    },
  ]);
  expect((await openReports(asAdmin)).total).toBe(0);
  const { id = '', latestAt } = shops[0] ?? {};
  market.clock.advance({ minutes: 1 });
  await reportShop(ctx, 'louche', { reason: 'stolen' });
  expect(await resolveShopReports(asAdmin, id, 'Checked', latestAt)).toEqual({ id, resolved: 2 });
  expect((await openShopReports(asAdmin)).shops).toMatchObject([{ count: 1 }]);
  await resolveShopReports(asAdmin, id, 'Checked');
  await refused(resolveShopReports(asAdmin, id, 'Checked'), 'conflict');
  await refused(resolveShopReports(await market.ctx(seller), id, 'x'), 'forbidden');
});

test('a share card is drawn for the present version only', async () => {
  await open('Carte & Fils');
  const ctx = await market.ctx();
  const { fr = '' } = (await shown('carte-fils')).shareCard;
  const version = /-([0-9a-f]{12})\.jpg$/.exec(fr)?.[1];
  expect(await shopCard(ctx, 'carte-fils', 'fr', '000000000000')).toMatchObject({ kind: 'moved' });
  const card = await shopCard(ctx, 'carte-fils', 'fr', version);
  expect(card.kind === 'card' && card.bytes.byteLength).toBeGreaterThan(5000);
  expect((await market.app.request(new URL(fr).pathname)).headers.get('content-type')).toBe(
    'image/jpeg',
  );
  const moved = await market.app.request('/media/cards/shop-carte-fils-fr.jpg');
  expect(new URL(moved.headers.get('location') ?? '', 'http://x').pathname).toBe(
    new URL(fr).pathname,
  );
  await refused(shopCard(ctx, 'nobody', 'fr', version), 'sellers.shopNotFound');
});
