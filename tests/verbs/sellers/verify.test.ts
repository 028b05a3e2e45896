import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { unverifySeller } from '../../../api/sellers/unverifySeller.ts';
import { verifySeller } from '../../../api/sellers/verify.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { auditLines } from '../../support/audit.ts';
import { live } from '../../support/products.ts';
import { outcomes, refused } from '../../support/refusals.ts';
import { idOf, sellerActions } from '../../support/sellers.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
const { sellers } = schema;
const { ofAdmin, verify, rowOf, clear } = sellerActions(market, { admin });
beforeEach(async () => {
  await market.reset();
  await clear();
});

describe('a verification by hand (product R21)', () => {
  test('says who gave it, tells the seller, and can be withdrawn', async () => {
    expect(await verify(seller)).toEqual({ id: idOf(seller), verified: true, verifiedBy: 'admin' });
    expect(await rowOf(seller)).toMatchObject({
      verified: true,
      verifiedBy: 'admin',
      verifiedAt: market.clock.now(),
    });
    expect((await market.mails.lastTo(seller.email)).subject).toBe(
      'Your seller account is verified',
    );
    await unverifySeller(await ofAdmin(), idOf(seller));
    expect(await rowOf(seller)).toMatchObject({
      verified: false,
      verifiedBy: null,
      verifiedAt: null,
    });
    expect(await auditLines(market)).toMatchObject([
      { action: 'seller.verify', before: { verified: false }, after: { verifiedBy: 'admin' } },
      { action: 'seller.unverify', before: { verifiedBy: 'admin' }, after: { verified: false } },
    ]);
  });

  test('shows on the seller’s live products', async () => {
    const { slotId } = await live(market, seller, admin);
    await verify(seller);
    expect(
      (await market.call<{ seller_verified: string }>(`/api/slots/${slotId}`)).body.seller_verified,
    ).toBe('admin');
  });

  test('refuses the chat bot’s proof a second one, which can be withdrawn as well', async () => {
    await market.db
      .update(sellers)
      .set({
        verified: true,
        verifiedBy: 'chat',
        verifiedAt: market.clock.now(),
        verifiedWhatsapp: seller.whatsapp,
      })
      .where(eq(sellers.id, idOf(seller)));
    await refused(verify(seller), 'conflict');
    await unverifySeller(await ofAdmin(), idOf(seller));
    await refused(unverifySeller(await ofAdmin(), idOf(seller)), 'conflict');
    await refused(
      verifySeller(await ofAdmin(), randomUUID(), { number: seller.whatsapp }),
      'sellers.notFound',
    );
    await refused(unverifySeller(await ofAdmin(), randomUUID()), 'sellers.notFound');
  });

  test('by two admins at once is one', async () => {
    const contexts = await Promise.all([ofAdmin(), ofAdmin()]);
    expect(
      await outcomes(
        contexts.map((ctx) => verifySeller(ctx, idOf(seller), { number: seller.whatsapp })),
      ),
    ).toEqual(['conflict', 'kept']);
  });
});
