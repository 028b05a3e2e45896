import { and, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { notifySeller } from '../../../api/sellers/notify.ts';
import { createProfile } from '../../../api/sellers/profile.ts';
import { barredAddresses, listSellers, notificationState } from '../../../api/sellers/reads.ts';
import { removeSeller } from '../../../api/sellers/remove.ts';
import { suspendSeller } from '../../../api/sellers/suspend.ts';
import { unbar } from '../../../api/sellers/unbar.ts';
import { unsuspendSeller } from '../../../api/sellers/unsuspendSeller.ts';
import { unverifySeller } from '../../../api/sellers/unverifySeller.ts';
import { verifySeller } from '../../../api/sellers/verify.ts';
import { schema } from '../../../db/client.ts';
import { actors, signInAdmin } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { asTx } from '../../support/asTx.ts';
import { auditLines } from '../../support/audit.ts';
import { approved, live, submitted } from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';
import { idOf, sellerActions } from '../../support/sellers.ts';

const market = await testApp();
const { member, seller, otherSeller, suspendedSeller, admin } = await actors(market);
const { sellers } = schema;
const { ofAdmin } = sellerActions(market, { admin });
beforeEach(() => market.reset());

describe('the list of sellers', () => {
  test('shows the newest first with their products, a page at a time', async () => {
    await live(market, seller, admin);
    await approved(market, seller, admin);
    await submitted(market, seller);
    const first = await listSellers(await ofAdmin(), { pageSize: 2 });
    const second = await listSellers(await ofAdmin(), { page: 2, pageSize: 2 });
    const all = await listSellers(await ofAdmin());
    expect(first.sellers).toHaveLength(2);
    expect([...first.sellers, ...second.sellers]).toEqual(all.sellers.slice(0, 4));
    const times = all.sellers.map((row) => row.createdAt);
    expect(times).toEqual([...times].sort().reverse());
    expect(all.sellers.find((row) => row.id === idOf(seller))).toMatchObject({
      name: 'Ngo Biyong',
      email: seller.email,
      whatsapp: seller.whatsapp,
      language: 'en',
      verified: false,
      products: { total: 3, pending: 1, queued: 1, live: 1 },
    });
    expect(all.sellers.find((row) => row.id === idOf(otherSeller))).toMatchObject({
      language: 'fr',
      products: { total: 0 },
    });
  });

  test('is searched by name or email in any case, or number as pasted, and by nothing else', async () => {
    const find = async (search: string) =>
      (await listSellers(await ofAdmin(), { search })).sellers.map((row) => row.id);
    expect(await find('nGO biY')).toEqual([idOf(seller)]);
    expect(await find(otherSeller.email.toUpperCase())).toEqual([idOf(otherSeller)]);
    const pasted = seller.whatsapp?.replace('+237', '00237 (0) ') ?? '';
    expect(await find(pasted)).toEqual([idOf(seller)]);
    expect(await find(pasted.slice(0, -1))).toEqual([]);
    expect(await find('Bafoussam')).toEqual([]);
    for (const wild of ['%', '_', '\\', "'; drop table sellers"])
      expect(await find(wild), wild).toEqual([]);
    const answer = await market.call<{ total: number }>('/api/admin/sellers?search=fotso&page=1', {
      as: admin,
    });
    expect(answer.body).toMatchObject({ total: 1 });
    expect(
      (await market.call<{ total: number }>('/api/admin/sellers?search=', { as: admin })).body
        .total,
    ).toBeGreaterThan(1);
    for (const query of ['page=0', 'page=x', 'page=1.5', 'size=9', `search=${'x'.repeat(101)}`])
      expect((await market.call(`/api/admin/sellers?${query}`, { as: admin })).status, query).toBe(
        400,
      );
  });

  test('is searched over trigrams where the server has them', async () => {
    const plan = await market.sql.begin(async (tx) => {
      await tx`set local enable_seqscan = off`;
      return tx`explain select 1 from sellers where name ilike '%ndombe%' or email ilike '%ndombe%'`;
    });
    const text = plan.map((row) => row['QUERY PLAN']).join(' ');
    expect(text).toContain('sellers_name_trgm_idx');
    expect(text).toContain('sellers_email_trgm_idx');
  });

  test('comes a page at a time out of ten thousand', async () => {
    await market.sql`insert into sellers (name, email, created_at) select 'Vendor ' || n, 'vendor' || n || '@many.test', '2020-01-01'::timestamptz + n * interval '1 minute'
      from generate_series(1, 10000) n`;
    try {
      const found = await listSellers(await ofAdmin(), { search: 'VENDOR 9', page: 3 });
      expect(found).toMatchObject({ total: 1111, page: 3 });
      expect(found.sellers).toHaveLength(50);
    } finally {
      await market.sql`delete from sellers where email like '%@many.test'`;
    }
  });
});

describe('the sellers are for admins alone:', () => {
  for (const [who, person, code] of [
    ['a visitor', undefined, 'signInRequired'],
    ['a member', member, 'forbidden'],
    ['a seller', seller, 'forbidden'],
    ['a suspended seller', suspendedSeller, 'forbidden'],
  ] as const) {
    test(`${who} neither sees nor changes`, async () => {
      const ctx = await market.ctx(person);
      const id = idOf(otherSeller);
      for (const work of [
        suspendSeller(ctx, id, 'x'),
        unsuspendSeller(ctx, id),
        verifySeller(ctx, id, { number: seller.whatsapp }),
        unverifySeller(ctx, id),
        removeSeller(ctx, id),
        unbar(ctx, 'a@b.test'),
        notifySeller(ctx, id, { subject: 'x', message: 'x' }),
        listSellers(ctx),
        barredAddresses(ctx),
        notificationState(ctx, id),
      ])
        await refused(work, code);
      expect(await auditLines(market)).toEqual([]);
    });
  }

  test('an admin who also sells can be suspended as a seller and stays an admin', async () => {
    const both = await signInAdmin(market);
    const { id } = await createProfile(
      asTx(market.job('x')),
      { userId: both.userId, email: both.email },
      { name: 'Both' },
    );
    await suspendSeller(await ofAdmin(), id, 'x');
    expect((await market.call('/api/admin/sellers', { as: both })).status).toBe(200);
    await market.db.delete(sellers).where(and(eq(sellers.id, id)));
  });
});
