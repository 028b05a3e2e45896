import { eq } from 'drizzle-orm';
import { type Db, schema } from '../../db/client.ts';
import type { Actor, SellerOfActor } from '../core/context.ts';
import { mailboxOf } from './mailbox.ts';

type Account = {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  role?: string | null | undefined;
  agreedTo?: string | null | undefined;
};

const { sellers } = schema;

export const sellerColumns = {
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
};

/** Reads the actor of an account. `sessionId` is null in a linked chat. */
export async function actorOfAccount(
  db: Db,
  account: Account,
  sessionId: string | null,
): Promise<Actor> {
  const [seller] = await db
    .select(sellerColumns)
    .from(sellers)
    .where(eq(sellers.userId, account.id));
  return actorWith(account, seller ?? null, sessionId);
}

export function actorWith(
  { id, name, role, agreedTo = null, ...address }: Account,
  seller: SellerOfActor | null,
  sessionId: string | null,
): Actor {
  const person = { userId: id, sessionId, name, email: mailboxOf(address), agreedTo };
  if (role === 'moderator') return { kind: 'moderator', ...person };
  if (role === 'admin') return { kind: 'admin', ...person, seller };
  if (seller) return { kind: 'seller', ...person, seller };
  return { kind: 'member', ...person };
}
