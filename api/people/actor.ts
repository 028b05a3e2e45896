import { eq } from 'drizzle-orm';
import { type Db, schema } from '../../db/client.ts';
import type { Actor } from '../core/context.ts';
import { mailboxOf } from './mailbox.ts';

type Account = { id: string; name: string; email: string; emailVerified: boolean; role?: string | null | undefined };

/** Who an account is, read anew each time: admin, seller or member. The same on the web, by its session, and in a linked chat, without one. */
export async function actorOfAccount(db: Db, { id, name, role, ...address }: Account, sessionId: string | null): Promise<Actor> {
  const { sellers } = schema;
  const [seller] = await db
    .select({
      id: sellers.id,
      name: sellers.name,
      whatsapp: sellers.whatsapp,
      location: sellers.location,
      businessName: sellers.businessName,
      verifiedWhatsapp: sellers.verifiedWhatsapp,
      verifiedBy: sellers.verifiedBy,
      suspended: sellers.suspended,
      suspendedReason: sellers.suspendedReason,
      suspendedAt: sellers.suspendedAt,
      leavingAt: sellers.leavingAt,
    })
    .from(sellers)
    .where(eq(sellers.userId, id));
  const person = { userId: id, sessionId, name, email: mailboxOf(address) };
  if (role === 'admin') return { kind: 'admin', ...person, seller: seller ?? null };
  if (seller) return { kind: 'seller', ...person, seller };
  return { kind: 'member', ...person };
}
