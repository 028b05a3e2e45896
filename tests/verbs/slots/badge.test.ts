import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { pendingProducts } from '../../../api/products/reads.ts';
import { completeProfile } from '../../../api/sellers/profile.ts';
import { listSellers } from '../../../api/sellers/reads.ts';
import { badgeOf } from '../../../api/sellers/rules.ts';
import { unverifySeller } from '../../../api/sellers/unverifySeller.ts';
import { verifySeller } from '../../../api/sellers/verify.ts';
import { adminSlots } from '../../../api/slots/admin.ts';
import { homepageProducts, publicSlot } from '../../../api/slots/reads.ts';
import { schema } from '../../../db/client.ts';
import { actors, type Person, signInAdmin, signUpSeller } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { chatOf } from '../../support/chat.ts';
import { live, submitted } from '../../support/products.ts';
import { outcomes, refused } from '../../support/refusals.ts';

/** Decision 028: the badge belongs to the verified number, and a number to one seller. */
const market = await testApp();
const { admin } = await actors(market);
const secondAdmin = await signInAdmin(market);
const { sellers, products, auditLog } = schema;
beforeEach(() => market.reset());

const idOf = ({ sellerId }: Person) => sellerId ?? '';
const rowOf = async (person: Person) =>
  (
    await market.db
      .select()
      .from(sellers)
      .where(eq(sellers.id, idOf(person)))
  )[0];
const verify = async (person: Person, move = false, by = admin) =>
  verifySeller(await market.ctx(by), idOf(person), { number: person.whatsapp, move });
const shown = async (slotId: number) =>
  (await publicSlot(await market.ctx(), slotId))?.seller_verified;
const lines = async () =>
  (await market.db.select().from(auditLog).orderBy(auditLog.id)).filter(({ action }) =>
    action.startsWith('seller.'),
  );
const twins = async () => {
  const first = await signUpSeller(market);
  const second = await signUpSeller(market, { whatsapp: first.whatsapp });
  return [first, second] as const;
};

describe('the rule', () => {
  const verified = { verifiedBy: 'admin', verifiedWhatsapp: '+237699000001' } as const;
  test('goes by the listing’s own number, and by the seller’s where it has none', () => {
    expect(badgeOf({ ...verified, listing: '+237699000001', profile: '+237699000002' })).toBe(
      'admin',
    );
    expect(badgeOf({ ...verified, listing: '+237699000002', profile: '+237699000001' })).toBeNull();
    expect(badgeOf({ ...verified, listing: null, profile: '+237699000001' })).toBe('admin');
    expect(badgeOf({ ...verified, listing: null, profile: '+237699000002' })).toBeNull();
    expect(badgeOf({ ...verified, listing: null, profile: null })).toBeNull();
    expect(
      badgeOf({ verifiedBy: null, verifiedWhatsapp: null, listing: null, profile: null }),
    ).toBeNull();
  });
});

describe('the badge of a listing', () => {
  test('shows with the verified number and stays away from another one', async () => {
    const seller = await signUpSeller(market);
    await verify(seller);
    const same = await live(market, seller, admin);
    const other = await live(market, seller, admin, { sellerWhatsapp: '+237699777001' });
    expect([await shown(same.slotId), await shown(other.slotId)]).toEqual(['admin', null]);
    const all = await homepageProducts(await market.ctx());
    expect(
      all.flatMap(({ product_id, seller_verified }) => (product_id ? [seller_verified] : [])),
    ).toEqual(['admin', null]);
    const slots = await adminSlots(await market.ctx(admin));
    expect(slots.flatMap(({ product }) => (product ? [product.sellerVerified] : []))).toEqual([
      true,
      false,
    ]);
    expect(JSON.stringify(all)).not.toMatch(/699\d{6}/);
  });

  test('follows the seller’s own number where the listing has none', async () => {
    const seller = await signUpSeller(market);
    await verify(seller);
    const { id, slotId } = await live(market, seller, admin);
    await market.db.update(products).set({ sellerWhatsapp: null }).where(eq(products.id, id));
    expect(await shown(slotId)).toBe('admin');
    await completeProfile(await market.ctx(seller), {
      name: seller.name,
      whatsapp: '+237699777002',
    });
    expect(await shown(slotId)).toBeNull();
  });

  test('is known to the admin’s review by the number that waits there', async () => {
    const seller = await signUpSeller(market);
    await verify(seller);
    await submitted(market, seller, { name: { en: 'Same number' } });
    await submitted(market, seller, {
      name: { en: 'Other number' },
      sellerWhatsapp: '+237699777003',
    });
    const { products: waiting } = await pendingProducts(await market.ctx(admin));
    expect(
      Object.fromEntries(
        waiting.map(({ name, sellerVerified }) => [(name as { en: string }).en, sellerVerified]),
      ),
    ).toEqual({
      'Same number': true,
      'Other number': false,
    });
  });
});

describe('a profile that changes its number', () => {
  test('is not verified any more; listings with the verified number are, until another number is', async () => {
    const seller = await signUpSeller(market);
    await verify(seller);
    const before = await live(market, seller, admin);
    await completeProfile(await market.ctx(seller), {
      name: seller.name,
      whatsapp: '+237699777010',
    });
    const after = await live(market, seller, admin, { sellerWhatsapp: '+237699777010' });
    expect([await shown(before.slotId), await shown(after.slotId)]).toEqual(['admin', null]);
    const me = await market.call<{ seller: { verified: boolean; verifiedEarlier: boolean } }>(
      '/api/auth/me',
      { as: seller },
    );
    expect(me.body.seller).toMatchObject({ verified: false, verifiedEarlier: true });
    const { sellers: listed } = await listSellers(await market.ctx(admin), {
      search: seller.email,
    });
    expect(listed).toMatchObject([{ verified: false, verifiedEarlier: true, verifiedBy: 'admin' }]);

    await verifySeller(await market.ctx(admin), idOf(seller), { number: '+237699777010' });
    expect([await shown(before.slotId), await shown(after.slotId)]).toEqual([null, 'admin']);
  });

  test('back to the verified one has its badge again', async () => {
    const seller = await signUpSeller(market);
    await verify(seller);
    for (const whatsapp of ['+237699777011', seller.whatsapp])
      await completeProfile(await market.ctx(seller), { name: seller.name, whatsapp });
    expect(
      (await market.call<{ seller: object }>('/api/auth/me', { as: seller })).body.seller,
    ).toMatchObject({ verified: true, verifiedEarlier: false });
  });

  test('in the moment of an admin’s click is not verified unseen', async () => {
    const seller = await signUpSeller(market);
    await completeProfile(await market.ctx(seller), {
      name: seller.name,
      whatsapp: '+237699777012',
    });
    await refused(verify(seller), 'conflict');
    expect(await rowOf(seller)).toMatchObject({ verified: false, verifiedWhatsapp: null });
  });
});

describe('a number that is verified for one seller', () => {
  test('is refused for another, with the consequence and in the admin’s language', async () => {
    const [first, second] = await twins();
    await verify(first);
    const path = `/api/admin/sellers/${idOf(second)}/verify`;
    for (const [language, words] of [
      ['en', /already verified for “Ngono \d+”\. .* loses the badge/],
      ['fr', /déjà vérifié pour « Ngono \d+ ».* perd/],
    ] as const) {
      const { status, body } = await market.call(path, {
        json: { number: second.whatsapp },
        as: admin,
        language,
      });
      expect([status, body.error.code]).toEqual([409, 'sellers.numberVerified']);
      expect(body.error.message.replaceAll(/[\u00a0\u202f]/g, ' ')).toMatch(words);
      expect(body.error.message).not.toContain(first.whatsapp.slice(-9));
    }
    expect(await rowOf(second)).toMatchObject({ verified: false });
  });

  test('moves when an admin says so: the other seller loses it, is told, and both are in the audit log', async () => {
    const [first, second] = await twins();
    await verify(first);
    await verify(second, true);
    expect(await rowOf(first)).toMatchObject({
      verified: false,
      verifiedBy: null,
      verifiedAt: null,
      verifiedWhatsapp: null,
    });
    expect(await rowOf(second)).toMatchObject({
      verified: true,
      verifiedWhatsapp: second.whatsapp,
    });
    expect((await market.mails.lastTo(first.email)).text).toMatch(/verified for another seller/);
    expect((await market.mails.lastTo(second.email)).subject).toBe(
      'Your seller account is verified',
    );
    expect(await lines()).toMatchObject([
      { action: 'seller.verify', subjectId: idOf(first) },
      {
        action: 'seller.unverify',
        subjectId: idOf(first),
        after: { verified: false, movedTo: idOf(second) },
      },
      { action: 'seller.verify', subjectId: idOf(second), after: { movedFrom: idOf(first) } },
    ]);
    expect(JSON.stringify(await lines())).not.toContain(first.whatsapp.slice(-9));
  });

  test('moves by an admin’s own act, or its phone’s: neither the market’s jobs nor a chat’s `move` may', async () => {
    const [first, second] = await twins();
    await verify(first);
    await refused(
      verifySeller(market.job('x'), idOf(second), { number: second.whatsapp, move: true }),
      'sellers.numberVerified',
    );
    const chat = await chatOf(market, second, { transport: 'whatsapp', number: second.whatsapp });
    await refused(
      verifySeller(chat, idOf(second), {
        number: second.whatsapp,
        verifiedBy: 'chat',
        move: true,
      } as never),
      'chats.numberProven',
    );
    await refused(
      verifySeller(await market.ctx(admin), idOf(second), {
        number: second.whatsapp,
        verifiedBy: 'chat',
        move: true,
      } as never),
      'forbidden',
    );
    expect(await rowOf(first)).toMatchObject({ verified: true });
  });

  test('by the chat is proven for the seller who writes, and for nobody else', async () => {
    const seller = await signUpSeller(market);
    const stranger = await signUpSeller(market);
    const chat = await chatOf(market, seller, { transport: 'whatsapp', number: seller.whatsapp });
    await refused(
      verifySeller(chat, idOf(stranger), { number: stranger.whatsapp, verifiedBy: 'chat' }),
      'forbidden',
    );
    await refused(verifySeller(chat, idOf(seller), { number: seller.whatsapp }), 'forbidden');
    const proof = { number: seller.whatsapp, verifiedBy: 'chat' } as const;
    // The web delivers no number, whatever a request claims. Nor does a chat whose transport hides
    // it or delivers another one.
    await refused(verifySeller(await market.ctx(seller), idOf(seller), proof), 'forbidden');
    await refused(verifySeller({ ...chat, via: 'web' }, idOf(seller), proof), 'forbidden');
    await refused(
      verifySeller(await chatOf(market, seller, { transport: 'whatsapp' }), idOf(seller), proof),
      'forbidden',
    );
    await refused(
      verifySeller(
        await chatOf(market, seller, { number: stranger.whatsapp }),
        idOf(seller),
        proof,
      ),
      'forbidden',
    );
    await refused(
      verifySeller(
        await chatOf(market, undefined, { number: seller.whatsapp }),
        idOf(seller),
        proof,
      ),
      'signInRequired',
    );
    const claimed = { json: { number: seller.whatsapp, verifiedBy: 'chat' }, as: admin };
    expect((await market.call(`/api/admin/sellers/${idOf(seller)}/verify`, claimed)).status).toBe(
      400,
    );
    expect(
      await verifySeller(chat, idOf(seller), { number: seller.whatsapp, verifiedBy: 'chat' }),
    ).toMatchObject({ verified: true, verifiedBy: 'chat' });
    await refused(
      verifySeller(chat, idOf(seller), { number: seller.whatsapp, verifiedBy: 'chat' }),
      'conflict',
    );
  });

  test('is free again when the verification is withdrawn', async () => {
    const [first, second] = await twins();
    await verify(first);
    await unverifySeller(await market.ctx(admin), idOf(first));
    expect(await verify(second)).toMatchObject({ verified: true });
  });

  test('of two sellers verified by two admins at once is one’s', async () => {
    const [first, second] = await twins();
    expect(await outcomes([verify(first), verify(second, false, secondAdmin)])).toEqual([
      'kept',
      'sellers.numberVerified',
    ]);
    const rows = [await rowOf(first), await rowOf(second)];
    expect(rows.filter((row) => row?.verified)).toHaveLength(1);
  });

  test('moved to and fro by two admins at once ends with one of them', async () => {
    const [first, second] = await twins();
    for (let round = 0; round < 5; round++) {
      await market.db
        .update(sellers)
        .set({ verified: false, verifiedBy: null, verifiedAt: null, verifiedWhatsapp: null });
      expect(await outcomes([verify(first, true), verify(second, true, secondAdmin)])).toEqual([
        'kept',
        'kept',
      ]);
      const rows = [await rowOf(first), await rowOf(second)];
      expect(rows.filter((row) => row?.verified)).toHaveLength(1);
    }
  });

  test('is held to by the database itself', async () => {
    const [first, second] = await twins();
    const set = (person: Person) =>
      market.sql`update sellers set verified = true, verified_by = 'admin', verified_at = now(), verified_whatsapp = whatsapp where id = ${idOf(person)}`;
    await set(first);
    await expect(set(second)).rejects.toMatchObject({
      constraint_name: 'sellers_verified_whatsapp_idx',
    });
    await expect(
      market.sql`update sellers set verified_whatsapp = null where id = ${idOf(first)}`,
    ).rejects.toMatchObject({
      constraint_name: 'sellers_verified_whole',
    });
  });

  test('is nothing for a seller without a number', async () => {
    const seller = await signUpSeller(market);
    await market.db
      .update(sellers)
      .set({ whatsapp: null })
      .where(eq(sellers.id, idOf(seller)));
    await refused(
      verifySeller(await market.ctx(admin), idOf(seller), { number: null }),
      'sellers.numberMissing',
    );
  });
});
