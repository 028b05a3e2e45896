import { eq } from 'drizzle-orm';
import { reportShop } from '../../api/reports/reportShop.ts';
import { completeProfile } from '../../api/sellers/profile.ts';
import { suspendSeller } from '../../api/sellers/suspend.ts';
import { unsuspendSeller } from '../../api/sellers/unsuspendSeller.ts';
import { verifySeller } from '../../api/sellers/verify.ts';
import { shopSlugOf } from '../../api/shared/slugs/shopSlug.ts';
import { schema } from '../../db/client.ts';
import { type Person, signUpSeller } from './actors.ts';
import type { TestApp } from './app.ts';

const { sellers } = schema;

/** A request that closes the report of a shop. */
export async function shopReport(market: TestApp) {
  const seller = await signUpSeller(market);
  const name = `Shop ${idOf(seller)}`;
  await completeProfile(await market.ctx(seller), { name: seller.name, businessName: name });
  await reportShop(await market.ctx(), shopSlugOf(name, idOf(seller)), { reason: 'fraud' });
  return { path: [idOf(seller)], json: { resolution: 'Nothing found' } };
}

export const idOf = (person: Person) => person.sellerId ?? '';

export function sellerActions(market: TestApp, { admin }: { admin: Person }) {
  const ofAdmin = () => market.ctx(admin);
  return {
    ofAdmin,
    suspend: async (person: Person, reason = 'Fake products') =>
      suspendSeller(await ofAdmin(), idOf(person), reason),
    unsuspend: async (person: Person) => unsuspendSeller(await ofAdmin(), idOf(person)),
    verify: async (person: Person) =>
      verifySeller(await ofAdmin(), idOf(person), { number: person.whatsapp }),
    async rowOf(person: Person) {
      const [row] = await market.db
        .select()
        .from(sellers)
        .where(eq(sellers.id, idOf(person)));
      return row;
    },
    clear: () =>
      market.db.update(sellers).set({
        suspended: false,
        suspendedReason: null,
        suspendedAt: null,
        verified: false,
        verifiedBy: null,
        verifiedAt: null,
        verifiedWhatsapp: null,
      }),
  };
}
