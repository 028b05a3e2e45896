import { and, asc, eq, isNull } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { completeProfile } from '../../../api/sellers/profile.ts';
import { removeSeller } from '../../../api/sellers/remove.ts';
import { profile } from '../../../api/sellers/schema.ts';
import { forgetOldRows } from '../../../api/upkeep/forget.ts';
import { schema } from '../../../db/client.ts';
import { type Person, signInAdmin, signUpMember, signUpSeller } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { refused } from '../../support/refusals.ts';

const market = await testApp();
const admin = await signInAdmin(market);
const { shopSlugs: t } = schema;

const named = async (seller: Person, businessName: string | undefined) =>
  completeProfile(await market.ctx(seller), { name: 'Ngo', businessName });
const slugsOf = ({ sellerId }: Person) =>
  market.db
    .select()
    .from(t)
    .where(eq(t.sellerId, sellerId ?? ''))
    .orderBy(asc(t.takenAt), asc(t.slug));
const slugOf = async ({ sellerId }: Person) =>
  (
    await market.db
      .select()
      .from(t)
      .where(and(eq(t.sellerId, sellerId ?? ''), isNull(t.leftAt)))
  )[0]?.slug;
const shop = async (name: string) => {
  const seller = await signUpSeller(market);
  await named(seller, name);
  return seller;
};

describe('the slug of a shop', () => {
  test('comes with the name, and goes with it', async () => {
    const seller = await signUpSeller(market);
    await named(seller, undefined);
    expect(await slugsOf(seller)).toEqual([]);
    await named(seller, 'Électro Bonabéri');
    expect(await slugOf(seller)).toBe('electro-bonaberi');
    await named(seller, undefined);
    expect(await slugOf(seller)).toBe('electro-bonaberi');
    await named(seller, '');
    expect(await slugOf(seller)).toBeUndefined();
    expect(await slugsOf(seller)).toHaveLength(1);
  });

  test('comes with a profile that begins with a name', async () => {
    const member = await signUpMember(market);
    await completeProfile(await market.ctx(member), { name: 'Ngo', businessName: 'Premier Pas' });
    const [row] = await market.db.select().from(t).where(eq(t.slug, 'premier-pas'));
    expect(row?.leftAt).toBeNull();
  });

  test('is unique, also for shops that take one name at once', async () => {
    const sellers = await Promise.all([1, 2, 3, 4].map(() => signUpSeller(market)));
    await Promise.all(sellers.map((seller) => named(seller, 'Chez Awa')));
    expect((await Promise.all(sellers.map(slugOf))).toSorted()).toEqual([
      'chez-awa',
      'chez-awa-2',
      'chez-awa-3',
      'chez-awa-4',
    ]);
  });

  test('stays for the same words, and comes back with an old name', async () => {
    const seller = await shop('Le Palmier');
    await named(seller, 'LE PALMIER !');
    expect(await slugsOf(seller)).toHaveLength(1);
    await named(seller, 'Le Baobab');
    await named(seller, 'Le Palmier');
    expect(await slugOf(seller)).toBe('le-palmier');
    expect(await slugsOf(seller)).toHaveLength(2);
  });

  test('is nobody else’s for a year after it was left, also when the seller is deleted', async () => {
    const first = await shop('Kribi Pêche');
    await named(first, 'Kribi Mer');
    const second = await shop('Kribi Pêche');
    expect(await slugOf(second)).toBe('kribi-peche-2');
    await removeSeller(await market.ctx(admin), first.sellerId ?? '');
    expect(await slugOf(await shop('Kribi Mer'))).toBe('kribi-mer-2');
    market.clock.advance({ days: 364 });
    await forgetOldRows(market.job('cleanup'));
    expect(await slugOf(await shop('Kribi Mer'))).toBe('kribi-mer-3');
    market.clock.advance({ days: 2 });
    expect(await slugOf(await shop('Kribi Mer'))).toBe('kribi-mer');
    await forgetOldRows(market.job('cleanup'));
    expect(await market.db.$count(t, eq(t.slug, 'kribi-peche'))).toBe(0);
  });

  test('changes three times in 30 days, and what else the profile says can still change', async () => {
    const seller = await shop('Nom Un');
    await named(seller, 'Nom Deux');
    await named(seller, 'Nom Trois');
    await refused(named(seller, 'Nom Quatre'), 'sellers.shopRenamedOften');
    expect(await slugOf(seller)).toBe('nom-trois');
    await named(seller, 'Nom Trois');
    await named(seller, 'Nom Un');
    expect(await slugOf(seller)).toBe('nom-un');
    market.clock.advance({ days: 30 });
    await named(seller, 'Nom Quatre');
    expect(await slugOf(seller)).toBe('nom-quatre');
  });
});

test('a shop may not be called by a reserved word, a phone number or the market’s name', () => {
  const codes = (businessName: string) =>
    profile.safeParse({ name: 'Ngo', businessName }).error?.issues.map(({ message }) => message) ??
    [];
  expect(codes('Ad-min!')).toEqual([]);
  expect(codes('ADMIN')).toEqual(['reservedName']);
  expect(codes('Vérifié')).toEqual(['reservedName']);
  expect(codes('Boutique 699 00 11 22')).toEqual(['phoneInName']);
  expect(codes('Marché 54')).toContain('marketName');
  expect(codes('Admin Couture')).toEqual([]);
});
