import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import { beforeAll, describe, expect, test } from 'vitest';
import { actors } from '../support/actors.ts';
import { sturdy } from '../support/database.ts';
import { openMarket } from '../support/market.ts';
import { paidPost } from '../support/posts.ts';
import { live } from '../support/products.ts';

/** Every public page is valid HTML in each of its states; sellers' and admins' pages too. */
const market = await openMarket();
const { seller, admin } = await actors(market);
const validator = new HtmlValidate(new StaticConfigLoader({ extends: ['html-validate:standard'] }));
const slots = { featured: 0, standard: 0, paused: 0 };
let slug = '';
let reference = '';

beforeAll(async () => {
  slots.featured = (await live(market, seller, admin, { listingType: 'featured' })).slotId;
  const shown = await live(market, seller, admin, {
    name: { en: 'A “quoted” <b> & more', fr: 'Un « cité » <b> & plus' },
  });
  slots.standard = shown.slotId;
  slots.paused = (await live(market, seller, admin)).slotId;
  await sturdy(
    () =>
      market.sql`update slots set paused_at = now(), remaining_duration = 3600, paused_by = 'admin' where id = ${slots.paused}`,
  );
  market.pageCache.drop();
  const [row] = await market.sql<
    { slug: string }[]
  >`select slug from products where id = ${shown.id}`;
  slug = row?.slug ?? '';
  reference = await paidPost(market, seller, { title: 'A “quoted” & more' });
});

async function faults(path: string, cookie?: string): Promise<string[]> {
  const response = await fetch(new URL(path, market.url), {
    redirect: 'manual',
    headers: cookie ? { cookie } : {},
  });
  const html = await response.text();
  expect(html, `${path} answered ${response.status}`).toContain('</html>');
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(
      ({ ruleId, message, line, column }) => `${path} ${line}:${column} ${ruleId}: ${message}`,
    ),
  );
}

describe('HTML is valid', () => {
  const language = 'fr';
  const at = (path: string) => `/${language}${path}`;

  test('on every public page and in every state', async () => {
    const addresses = [
      '',
      '/how-it-works',
      '/privacy',
      '/terms',
      '/favourites',
      '/alerts/end/made.up',
      '/alerts/end/done',
      '/connect?search=nothing&category=repairs',
      '/404',
      '/seller/auth',
      '/seller/auth?mode=sign-up',
      '/sign-in?next=%2Fshop%2Fslot%2F1',
      '/sign-in?mode=sign-up',
      '/admin/auth',
      '/forgot-password',
      '/reset-password',
      '/sign-in-link?token=x',
      '/email-change?token=x',
      '/email-back?token=x',
      '/email-verification',
    ];
    addresses.push(
      `/shop/slot/${slots.featured}`,
      `/shop/${slots.standard}/details`,
      `/shop/${slots.standard}/${slug}`,
      `/shop/slot/${slots.paused}`,
      '/shop/slot/33',
      '/connect/zzzzzzzz',
      `/connect/${reference}?report=validation`,
    );
    addresses.push(`/shop/slot/${slots.standard}?contact=rateLimited`);
    for (const address of addresses) expect(await faults(at(address))).toEqual([]);
  });

  test('on the pages of sellers and admins', async () => {
    const ofSellers = [
      '/seller/dashboard',
      '/seller/products/upload',
      '/account',
      '/connect',
      '/connect/mine?status=closed',
      '/connect/credits',
    ];
    for (const address of [...ofSellers, `/connect/${reference}`])
      expect(await faults(at(address), seller.jar.header())).toEqual([]);
    for (const address of [
      '/admin/products/pending',
      '/admin/products/upload',
      '/admin/connect',
      '/admin/credits?tab=members',
    ])
      expect(await faults(at(address), admin.jar.header())).toEqual([]);
  });
});
