import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { ownProducts } from '../../../api/products/reads.ts';
import type { Submission } from '../../../api/products/schema.ts';
import { submit } from '../../../api/products/submit.ts';
import { queueSize } from '../../../api/queue/reads.ts';
import { writeSetting } from '../../../api/settings/values.ts';
import { schema } from '../../../db/client.ts';
import { actors, signUpSeller } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import {
  approved,
  draft,
  live,
  productRow,
  queueRows,
  slotOf,
  submitted,
  uploadPhoto,
} from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';
import { plain } from '../../support/text.ts';

const market = await testApp();
const { member, seller, otherSeller, suspendedSeller, admin } = await actors(market);
beforeEach(() => market.reset());
const { products, auditLog } = schema;
const count = async () => (await market.db.select().from(products)).length;

describe('a seller’s submission', () => {
  test('waits for review with everything that was entered', async () => {
    const answer = await submitted(market, seller, {
      listingType: 'featured',
      preferredFeaturedSlot: 3,
      durationHours: 48,
      businessName: 'Chez Ngo',
    });
    expect(answer).toMatchObject({ status: 'pending', listingFee: 5000 });
    expect(await productRow(market, answer.id)).toMatchObject({
      status: 'pending',
      approvedAt: null,
      sellerId: seller.sellerId,
      createdBy: seller.userId,
      name: { en: 'Samsung Galaxy A14', fr: 'Samsung Galaxy A14, comme neuf' },
      price: 65_000,
      city: 'Douala',
      region: 'Littoral',
      regionCode: 'littoral',
      sellerLocation: 'Douala, Littoral',
      sellerName: seller.name,
      sellerWhatsapp: seller.whatsapp,
      businessName: 'Chez Ngo',
      listingType: 'featured',
      preferredFeaturedSlot: 3,
      durationSeconds: 172_800,
      category: 'electronics',
      paymentMethod: 'mtn_momo',
      listing: {
        number: 1,
        fee: 5000,
        feeState: 'due',
        feeReference: answer.feeReference,
        endedAt: null,
      },
      createdAt: market.clock.now(),
    });
  });

  test('is in neither queue nor slot and leaves no audit line', async () => {
    const { id } = await submitted(market, seller);
    expect(await queueRows(market)).toEqual([]);
    expect(await slotOf(market, id)).toBeUndefined();
    expect(await market.db.select().from(auditLog)).toEqual([]);
  });

  test('is told to the seller by mail in the language of the page, with fee and reference', async () => {
    const images = [await uploadPhoto(market, seller)];
    const { feeReference } = await submit(
      await market.ctx(seller, { language: 'fr' }),
      draft({ images }),
    );
    const mail = await market.mails.lastTo(seller.email);
    expect(plain(mail.subject)).toBe(
      '« Samsung Galaxy A14, comme neuf » est en attente de contrôle',
    );
    expect(plain(mail.text)).toContain('3 000 XAF');
    expect(mail.text).toContain(feeReference as string);
    expect(mail.text).toContain('http://market.test/fr/seller/dashboard');
  });

  test('owes nothing and mentions no fee when fees are not tracked', async () => {
    await writeSetting(await market.ctx(admin), 'trackFees', false);
    const { id, feeReference } = await submitted(market, seller);
    expect(feeReference).toBeNull();
    expect(await productRow(market, id)).toMatchObject({
      listing: { fee: null, feeState: null, feeReference: null },
    });
    expect((await market.mails.lastTo(seller.email)).text).not.toMatch(/fee|XAF/i);
  });

  test('without French text keeps none, and is called by its English name', async () => {
    const { id } = await submitted(market, seller, {
      name: { en: 'Chair' },
      description: { en: 'A wooden chair.' },
    });
    expect(await productRow(market, id)).toMatchObject({
      name: { en: 'Chair' },
      description: { en: 'A wooden chair.' },
    });
  });

  test('keeps the photos in the order of the draft, the first being the cover', async () => {
    const images = [
      await uploadPhoto(market, seller),
      await uploadPhoto(market, seller),
      await uploadPhoto(market, seller),
    ].reverse();
    const { id } = await submitted(market, seller, { images });
    const uploads = await market.db
      .select()
      .from(schema.uploads)
      .where(eq(schema.uploads.productId, id));
    const keys = images.map((image) => uploads.find((upload) => upload.id === image)?.key);
    expect((await productRow(market, id)).images.map((image) => image.key)).toEqual(keys);
  });

  for (const [what, owner] of [
    ['somebody else’s', otherSeller],
    ['an admin’s', admin],
  ] as const) {
    test(`refuses ${what} photo`, async () => {
      await refused(
        submitted(market, seller, { images: [await uploadPhoto(market, owner)] }),
        'uploads.notFound',
      );
      expect(await count()).toBe(0);
    });
  }

  test('refuses a photo that does not exist or already belongs to a product', async () => {
    await refused(submitted(market, seller, { images: [randomUUID()] }), 'uploads.notFound');
    const images = [await uploadPhoto(market, seller)];
    await submitted(market, seller, { images });
    await refused(submitted(market, seller, { images }), 'uploads.notFound');
    expect(await count()).toBe(1);
  });

  test('keeps nothing, not even the photo’s claim, when a later step fails', async () => {
    const mine = await uploadPhoto(market, seller);
    await refused(submitted(market, seller, { images: [mine, randomUUID()] }), 'uploads.notFound');
    const [upload] = await market.db.select().from(schema.uploads);
    expect(upload).toMatchObject({ id: mine, productId: null });
    expect(await market.mails.allTo(seller.email)).toEqual([]);
  });

  test('takes seller, status and fee from nowhere but here', async () => {
    const { id } = await submitted(market, seller, {
      sellerId: seller.sellerId as string,
      status: 'approved',
      listingFee: 1,
      feeState: 'paid',
    } as never);
    expect(await productRow(market, id)).toMatchObject({
      status: 'pending',
      listing: { fee: 3000, feeState: 'due' },
      sellerId: seller.sellerId,
    });
    await refused(
      submitted(market, seller, { sellerId: otherSeller.sellerId as string }),
      'forbidden',
    );
  });

  test('is refused without number or place in the profile', async () => {
    const bare = await signUpSeller(market, { whatsapp: '', location: '' });
    await refused(
      submitted(market, bare, { sellerWhatsapp: '+237699001234' }),
      'sellers.profileMissing',
    );
  });
});

describe('a submission is refused for', () => {
  test('a visitor', async () =>
    void (await refused(submit(await market.ctx(), draft()), 'signInRequired')));
  test('a member without a profile', async () =>
    void (await refused(submit(await market.ctx(member), draft()), 'sellers.profileMissing')));
  test('a suspended seller', async () =>
    void (await refused(submit(await market.ctx(suspendedSeller), draft()), 'sellers.suspended')));
  test('a job', async () =>
    void (await refused(submit(market.job('x'), draft()), 'signInRequired')));

  test('a seller who was suspended after the context was made', async () => {
    const victim = await signUpSeller(market);
    const ctx = await market.ctx(victim);
    const images = [await uploadPhoto(market, victim)];
    await market.db
      .update(schema.sellers)
      .set({ suspended: true, suspendedReason: 'x', suspendedAt: market.clock.now() })
      .where(eq(schema.sellers.id, victim.sellerId as string));
    await refused(submit(ctx, draft({ images })), 'sellers.suspended');
  });
});

describe('an admin’s product', () => {
  test('is approved and queued at once, and written in the audit log', async () => {
    const answer = await submitted(market, admin, { sellerId: seller.sellerId as string });
    expect(answer.status).toBe('approved');
    expect(await productRow(market, answer.id)).toMatchObject({
      status: 'approved',
      approvedAt: market.clock.now(),
      sellerId: seller.sellerId,
      createdBy: admin.userId,
    });
    expect((await queueRows(market)).map((row) => row.productId)).toEqual([answer.id]);
    expect(await queueSize(market.job('x'))).toBe(1);
    expect(await market.db.select().from(auditLog)).toMatchObject([
      {
        action: 'product.create',
        subjectId: answer.id,
        actorKind: 'admin',
        actorId: admin.userId,
        actorName: 'Admin',
      },
    ]);
  });

  test('may belong to no seller at all, and then nobody is written to', async () => {
    const { id } = await submitted(market, admin);
    expect(await productRow(market, id)).toMatchObject({ sellerId: null, status: 'approved' });
    expect(await market.db.select().from(schema.outbox)).toEqual([]);
  });

  test('is told to its seller, in the seller’s language, with the fee that is due and whom to pay (product R31)', async () => {
    const paid = { number: '+237 670 00 00 01', payee: 'Marché 54' };
    const none = { number: '', payee: '' };
    await writeSetting(await market.ctx(admin), 'payees', {
      mtn_momo: paid,
      orange_money: none,
      cash: { number: '', payee: 'Awa, Akwa' },
    });
    const letter = async (overrides: Partial<Submission>) => {
      const { feeReference } = await submitted(market, admin, {
        sellerId: otherSeller.sellerId as string,
        ...overrides,
      });
      const { subject, text } = await market.mails.lastTo(otherSeller.email);
      return { subject: plain(subject), text: plain(text), reference: feeReference ?? '' };
    };
    const momo = await letter({ listingType: 'featured', durationHours: 48 });
    expect(momo.subject).toBe('Notre équipe a publié « Samsung Galaxy A14, comme neuf » pour vous');
    expect(momo.text).toContain('file premium');
    expect(momo.text).toContain('Frais d’annonce : 5 000 XAF.');
    for (const part of [
      '+237 670 00 00 01 (Marché 54)',
      momo.reference,
      'http://market.test/fr/seller/dashboard',
    ])
      expect(momo.text).toContain(part);
    expect((await letter({ paymentMethod: 'cash' })).text).toContain('Awa, Akwa');
    const orange = await letter({ paymentMethod: 'orange_money' });
    expect(orange.text).toContain(
      `Notre équipe vous dira comment payer. Gardez votre référence : ${orange.reference}`,
    );
    await writeSetting(await market.ctx(admin), 'trackFees', false);
    expect((await letter({})).text).not.toContain('Frais');
  });

  test('of a seller without an account is told to nobody', async () => {
    const [imported] = await market.db
      .insert(schema.sellers)
      .values({ name: 'Import', email: 'import@example.test' })
      .returning();
    await submitted(market, admin, { sellerId: imported?.id as string });
    expect(await market.db.select().from(schema.outbox)).toEqual([]);
  });

  test('is refused for a seller who does not exist or is suspended', async () => {
    await refused(submitted(market, admin, { sellerId: randomUUID() }), 'sellers.notFound');
    await refused(
      submitted(market, admin, { sellerId: suspendedSeller.sellerId as string }),
      'sellers.isSuspended',
    );
    expect(await count()).toBe(0);
  });

  test('leaves no number in the audit log', async () => {
    await submitted(market, admin, {
      sellerId: seller.sellerId as string,
      sellerWhatsapp: '+237677665544',
    });
    expect(JSON.stringify(await market.db.select().from(auditLog))).not.toContain('677665544');
  });
});

describe('a seller’s own products', () => {
  test('are the own ones alone, newest first, each with what it is right now', async () => {
    const first = await live(market, seller, admin);
    market.clock.advance({ minutes: 1 });
    const second = await approved(market, seller, admin, { name: { en: 'Chair' } });
    market.clock.advance({ minutes: 1 });
    const third = await submitted(market, seller);
    await submitted(market, otherSeller);
    const mine = (await ownProducts(await market.ctx(seller))).products;
    expect(mine.map((product) => [product.id, product.label, product.status])).toEqual([
      [third.id, 'pending', 'pending'],
      [second.id, 'queued', 'approved'],
      [first.id, 'live', 'approved'],
    ]);
    expect(mine[2]).toMatchObject({
      slotId: first.slotId,
      endTime: first.endTime.toISOString(),
      listingFee: 3000,
      feeState: 'due',
    });
    expect(mine[1]).toMatchObject({ queueName: 'queue:regular', slotId: null });
  });

  test('are read as approved when an old import says active', async () => {
    const { id } = await live(market, seller, admin);
    await market.db.update(products).set({ status: 'active' }).where(eq(products.id, id));
    expect((await ownProducts(await market.ctx(seller))).products[0]).toMatchObject({
      status: 'approved',
      label: 'live',
    });
  });

  test('need a profile', async () => {
    await refused(ownProducts(await market.ctx(member)), 'sellers.profileMissing');
    await refused(ownProducts(await market.ctx()), 'sellers.profileMissing');
  });
});

test('whom to pay is told by method to those who sell, and a method for which nothing is set is left out', async () => {
  const payee = { number: '+237 699 00 00 54', payee: 'Marché 54 SARL' };
  const value = {
    mtn_momo: payee,
    orange_money: { number: '', payee: '' },
    cash: { number: '', payee: 'Caisse, Akwa' },
  };
  await market.db
    .insert(schema.settings)
    .values({ key: 'payees', value, updatedAt: market.clock.now() });
  const { body } = await market.call<object>('/api/products/payees', { as: seller });
  expect(body).toEqual({ mtn_momo: payee, cash: { number: '', payee: 'Caisse, Akwa' } });
  expect((await market.call('/api/products/payees')).status).toBe(401);
});
