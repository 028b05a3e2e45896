import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { completeProfile, createProfile } from '../../../api/sellers/profile.ts';
import { standingOf } from '../../../api/sellers/rules.ts';
import { schema } from '../../../db/client.ts';
import { actors, type Person, signUpMember, signUpSeller } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { asTx } from '../../support/asTx.ts';
import { outcomes, refused } from '../../support/refusals.ts';

const market = await testApp();
const { suspendedSeller } = await actors(market);
const { sellers, barredEmails } = schema;
const rowOf = async (person: Pick<Person, 'userId'>) =>
  (await market.db.select().from(sellers).where(eq(sellers.userId, person.userId)))[0];
const verify = (person: Person) =>
  market.db
    .update(sellers)
    .set({
      verified: true,
      verifiedBy: 'chat',
      verifiedAt: market.clock.now(),
      verifiedWhatsapp: person.whatsapp,
    })
    .where(eq(sellers.id, person.sellerId as string));

describe('a seller profile', () => {
  test('of a member is made when the profile is completed', async () => {
    const member = await signUpMember(market);
    await completeProfile(await market.ctx(member), {
      name: 'Ngo',
      whatsapp: '+237699112233',
      location: 'Kribi, South',
    });
    expect(await rowOf(member)).toMatchObject({
      name: 'Ngo',
      whatsapp: '+237699112233',
      location: 'Kribi, South',
      region: 'south',
      email: member.email,
      verified: false,
      suspended: false,
    });
    expect((await market.ctx(member)).actor.kind).toBe('seller');
  });

  test('keeps what was there when a field is left empty', async () => {
    const seller = await signUpSeller(market);
    await completeProfile(await market.ctx(seller), { name: 'New Name' });
    expect(await rowOf(seller)).toMatchObject({
      name: 'New Name',
      whatsapp: seller.whatsapp,
      location: seller.location,
    });
  });

  test('gets another region with another place, and none where the words give none', async () => {
    const seller = await signUpSeller(market);
    for (const [location, region] of [
      ['Nkwen, Bamenda NW', 'north-west'],
      ['Douala, Centre', null],
    ]) {
      await completeProfile(await market.ctx(seller), {
        name: seller.name,
        location: location ?? '',
      });
      expect(await rowOf(seller)).toMatchObject({ location, region });
    }
  });

  test('keeps the proof of the number that was proven, and has none for the one it changes to', async () => {
    const seller = await signUpSeller(market);
    await verify(seller);
    await completeProfile(await market.ctx(seller), {
      name: seller.name,
      whatsapp: seller.whatsapp,
    });
    expect(await rowOf(seller)).toMatchObject({ verified: true, verifiedBy: 'chat' });
    await completeProfile(await market.ctx(seller), {
      name: seller.name,
      whatsapp: '+237699445566',
    });
    expect(await rowOf(seller)).toMatchObject({
      verified: true,
      verifiedWhatsapp: seller.whatsapp,
      whatsapp: '+237699445566',
    });
    const { actor } = await market.ctx(seller);
    expect('seller' in actor && actor.seller && standingOf(actor.seller)).toEqual({
      verified: false,
      verifiedEarlier: true,
    });
  });

  test('cannot be made by a visitor or changed by a suspended seller', async () => {
    await refused(completeProfile(await market.ctx(), { name: 'x' }), 'signInRequired');
    await refused(
      completeProfile(await market.ctx(suspendedSeller), { name: 'x' }),
      'sellers.suspended',
    );
  });

  test('is made once, whatever happens at the same time', async () => {
    const member = await signUpMember(market);
    const ctx = await market.ctx(member);
    expect(
      await outcomes([1, 2, 3].map((n) => completeProfile(ctx, { name: `Name ${n}` }))),
    ).toEqual(['kept', 'sellers.profileExists', 'sellers.profileExists']);
    expect(
      await market.db.select().from(sellers).where(eq(sellers.userId, member.userId)),
    ).toHaveLength(1);
  });

  test('is refused for an address whose seller was deleted, in any case of letters (product R20)', async () => {
    const member = await signUpMember(market);
    await market.db.insert(barredEmails).values({ email: member.email });
    await refused(completeProfile(await market.ctx(member), { name: 'x' }), 'sellers.barred');
    await refused(
      createProfile(
        asTx(await market.ctx(member)),
        { userId: member.userId, email: member.email.toUpperCase() },
        { name: 'x' },
      ),
      'sellers.barred',
    );
    expect(await rowOf(member)).toBeUndefined();
  });
});
