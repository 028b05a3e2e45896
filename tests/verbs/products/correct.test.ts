import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { correct } from '../../../api/products/correct.ts';
import { adminProduct } from '../../../api/products/form.ts';
import { incompleteProducts } from '../../../api/products/integrity/integrity.ts';
import { recheck } from '../../../api/products/integrity/recheck.ts';
import { approve } from '../../../api/products/review/approve.ts';
import { missingFields } from '../../../api/products/rules.ts';
import type { Correction } from '../../../api/products/schema.ts';
import { writeSetting } from '../../../api/settings/values.ts';
import { cleanAbandonedUploads } from '../../../api/uploads/cleanAbandonedUploads.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { lastAudit } from '../../support/audit.ts';
import {
  approved,
  draft,
  live,
  productRow,
  queueRows,
  submitted,
  uploadPhoto,
} from '../../support/products.ts';
import { outcomes, refused } from '../../support/refusals.ts';
import { rawRows } from '../../support/rows.ts';
import { plain } from '../../support/text.ts';

/** An admin completes a product (product R12, decision 038). */
const market = await testApp();
const { seller, otherSeller, member, admin } = await actors(market);
beforeEach(() => market.reset());
const { products, uploads, listings } = schema;
const ofAdmin = () => market.ctx(admin);
const lose = (id: string, columns: Partial<typeof products.$inferInsert>) =>
  market.db.update(products).set(columns).where(eq(products.id, id));
const seen = async (id: string) => (await productRow(market, id)).updatedAt.toISOString();

/** The form's input: the product; `overrides` adds fields that the seller never chose. */
async function corrected(id: string, overrides: Partial<Correction> = {}): Promise<Correction> {
  const { durationHours: _d, listingType: _l, paymentMethod: _p, images: _i, ...rest } = draft();
  return { ...rest, seen: await seen(id), ...overrides };
}

/** A product from an import: a name and a seller, no listing. */
const imported = () =>
  rawRows(market.sql).product({
    name: JSON.stringify({ en: 'Power bank' }),
    seller_id: otherSeller.sellerId,
  });

describe('a correction', () => {
  test('of a product that lacks everything makes it complete, and a recheck approves it', async () => {
    const id = await imported();
    expect((await adminProduct(await ofAdmin(), id)).missing).toHaveLength(9);
    await lose(id, { city: 'Kribi', region: 'South' });
    expect((await adminProduct(await ofAdmin(), id)).sellerLocation).toBe('Kribi, South');
    const images = [await uploadPhoto(market, admin)];
    const json = {
      ...(await corrected(id, { images, durationHours: 48, paymentMethod: 'cash' })),
      sellerWhatsapp: '699 00 12 34',
    };
    expect(
      await market.call(`/api/admin/products/${id}`, { method: 'PUT', json, as: admin }),
    ).toMatchObject({ status: 200, body: { id } });
    const row = await productRow(market, id);
    expect(row).toMatchObject({
      status: 'pending',
      name: draft().name,
      price: 65_000,
      category: 'electronics',
      city: 'Douala',
      region: 'Littoral',
      sellerName: 'Ngo Biyong',
      sellerWhatsapp: '+237699001234',
      durationSeconds: 48 * 3600,
      paymentMethod: 'cash',
      sellerId: otherSeller.sellerId,
    });
    expect(row.images).toHaveLength(1);
    expect(missingFields(row)).toEqual([]);
    expect(await incompleteProducts(await ofAdmin())).toMatchObject({ total: 0 });
    market.clock.advance({ hours: 25 });
    expect(await cleanAbandonedUploads(market.job('clean-abandoned-uploads'))).toBe(0);
    expect(await recheck(await ofAdmin(), id)).toMatchObject({ approved: true });
    expect((await queueRows(market)).map((item) => item.productId)).toEqual([id]);
  });

  test('is in the audit log with what differs, before and after, and without a number', async () => {
    const { id } = await submitted(market, seller, { price: 65_000 });
    await lose(id, { price: null, sellerWhatsapp: null, category: null });
    await correct(await ofAdmin(), id, await corrected(id, { sellerName: seller.name }));
    expect(await lastAudit(market)).toMatchObject({
      action: 'product.correct',
      actorId: admin.userId,
      subjectId: id,
      before: { price: null, category: null },
      after: { price: 65_000, category: 'electronics', sellerWhatsapp: '[redacted]' },
    });
    expect(Object.keys((await lastAudit(market))?.after as object).sort()).toEqual([
      'category',
      'price',
      'sellerWhatsapp',
    ]);
  });

  test('of a version that is no more is refused: of two admins at once, and of one whom the seller overtook', async () => {
    const { id } = await submitted(market, seller);
    await lose(id, { price: null });
    const stale = await corrected(id);
    market.clock.advance({ minutes: 1 });
    const contexts = [
      await ofAdmin(),
      await market.ctx(admin, { db: market.database.another({ max: 2 }).db }),
    ];
    expect(
      await outcomes(
        contexts.map((ctx, index) => correct(ctx, id, { ...stale, price: 1000 + index })),
      ),
    ).toEqual(['kept', 'products.changed']);
    const answer = await market.call(`/api/admin/products/${id}`, {
      method: 'PUT',
      json: stale,
      as: admin,
    });
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'products.changed' } } });
    expect([1000, 1001]).toContain((await productRow(market, id)).price);
  });

  test('leaves the duration and the payment method that its seller chose, and the fee', async () => {
    const { id } = await submitted(market, seller, { durationHours: 24, paymentMethod: 'cash' });
    const { listing } = await productRow(market, id);
    await lose(id, { category: null });
    for (const [given, path] of [
      [{ durationHours: 120 }, 'durationHours'],
      [{ paymentMethod: 'mtn_momo' }, 'paymentMethod'],
    ] as const)
      expect(
        (await refused(correct(await ofAdmin(), id, await corrected(id, given)), 'validation'))
          .fields,
      ).toEqual([{ path, code: 'invalid' }]);
    await correct(await ofAdmin(), id, await corrected(id));
    expect(await productRow(market, id)).toMatchObject({
      durationSeconds: 24 * 3600,
      paymentMethod: 'cash',
      category: 'electronics',
      listing,
    });
  });

  test('asks for what nobody chose', async () => {
    const { id } = await submitted(market, seller);
    await lose(id, { durationSeconds: null, paymentMethod: null, images: [] });
    const { fields } = await refused(
      correct(await ofAdmin(), id, await corrected(id)),
      'validation',
    );
    expect(fields.map(({ path }) => path)).toEqual(['durationHours', 'paymentMethod', 'images']);
  });

  test('that gives a duration makes the fee due, and tells the seller with how to pay; not once it was in a slot', async () => {
    const payee = { number: '+237 670 00 00 01', payee: 'Marché 54' };
    await writeSetting(await ofAdmin(), 'payees', {
      mtn_momo: payee,
      orange_money: payee,
      cash: payee,
    });
    const { id } = await submitted(market, otherSeller);
    await lose(id, { durationSeconds: null });
    await market.db
      .update(listings)
      .set({ fee: null, feeState: null, feeReference: null })
      .where(eq(listings.productId, id));
    await correct(await ofAdmin(), id, await corrected(id, { durationHours: 48 }));
    const { listing } = await productRow(market, id);
    expect(listing).toMatchObject({ number: 1, fee: 2000, feeState: 'due' });
    const mail = await market.mails.lastTo(otherSeller.email);
    expect(plain(mail.subject)).toBe('Notre équipe a complété « Samsung Galaxy A14, comme neuf »');
    for (const part of ['2 000 XAF', '+237 670 00 00 01', listing?.feeReference ?? ''])
      expect(plain(mail.text)).toContain(part);
    const shown = await live(market, seller, admin);
    await lose(shown.id, { durationSeconds: null });
    await market.db
      .update(listings)
      .set({ fee: null, feeState: null, feeReference: null })
      .where(eq(listings.productId, shown.id));
    await correct(await ofAdmin(), shown.id, await corrected(shown.id, { durationHours: 48 }));
    expect((await productRow(market, shown.id)).listing).toMatchObject({
      fee: null,
      endedAt: null,
    });
    expect((await market.mails.lastTo(seller.email)).text).not.toContain('fee');
  });

  test('leaves the photos of an import as they are, and lets go of those that it replaces', async () => {
    const { id } = await approved(market, seller, admin);
    const [known] = await market.db.select().from(uploads).where(eq(uploads.productId, id));
    expect(await adminProduct(await ofAdmin(), id)).toMatchObject({
      photosKnown: true,
      photos: [{ id: known?.id }],
    });
    const { images } = await productRow(market, id);
    await market.db.delete(uploads);
    expect(await adminProduct(await ofAdmin(), id)).toMatchObject({
      photosKnown: false,
      photos: [],
    });
    await correct(await ofAdmin(), id, await corrected(id));
    expect((await productRow(market, id)).images).toEqual(images);
    const fresh = await uploadPhoto(market, admin);
    await correct(await ofAdmin(), id, await corrected(id, { images: [fresh] }));
    expect((await productRow(market, id)).images).toHaveLength(1);
    const other = await uploadPhoto(market, admin);
    await correct(await ofAdmin(), id, await corrected(id, { images: [other] }));
    const owners = new Map(
      (await market.db.select().from(uploads)).map((row) => [row.id, row.productId]),
    );
    expect([owners.get(fresh), owners.get(other)]).toEqual([null, id]);
  });

  test('takes no photo of somebody else, no unknown field, and nothing of a removed product', async () => {
    const { id } = await submitted(market, seller);
    await refused(
      correct(
        await ofAdmin(),
        id,
        await corrected(id, { images: [await uploadPhoto(market, otherSeller)] }),
      ),
      'uploads.notFound',
    );
    for (const wrong of [
      { status: 'approved' },
      { sellerId: otherSeller.sellerId },
      { price: 1 },
      { seen: undefined },
      { images: [] },
    ]) {
      const json = { ...(await corrected(id)), ...wrong };
      expect(
        (await market.call(`/api/admin/products/${id}`, { method: 'PUT', json, as: admin })).status,
        JSON.stringify(wrong),
      ).toBe(400);
    }
    const json = await corrected(id);
    await lose(id, { removedAt: market.clock.now() });
    await refused(correct(await ofAdmin(), id, json), 'products.notFound');
    await refused(adminProduct(await ofAdmin(), id), 'products.notFound');
    await refused(correct(await ofAdmin(), randomUUID(), json), 'products.notFound');
  });

  test('and its form are for admins alone', async () => {
    const { id } = await submitted(market, seller);
    for (const [who, code] of [
      [undefined, 'signInRequired'],
      [member, 'forbidden'],
      [seller, 'forbidden'],
    ] as const) {
      await refused(correct(await market.ctx(who), id, await corrected(id)), code);
      await refused(adminProduct(await market.ctx(who), id), code);
    }
  });
});

test('an import without a listing of its own gets one when it is approved', async () => {
  const id = await imported();
  await approve(await ofAdmin(), id, { anyway: true });
  expect((await productRow(market, id)).listing).toMatchObject({
    number: 1,
    fee: null,
    endedAt: null,
  });
});
