import { eq } from 'drizzle-orm';
import { suspendSeller } from '../../api/sellers/suspend.ts';
import { unsuspendSeller } from '../../api/sellers/unsuspendSeller.ts';
import { verifySeller } from '../../api/sellers/verify.ts';
import { schema } from '../../db/client.ts';
import type { Person } from './actors.ts';
import type { TestApp } from './app.ts';

const { sellers } = schema;

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
