import { eq } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { isTeam, requireAdmin } from '../../core/access.ts';
import { audit } from '../../core/audit.ts';
import type { Ctx } from '../../core/context.ts';
import { inTransaction } from '../../core/transaction.ts';
import { Refusal } from '../../shared/errors.ts';
import { makeCode, type NewCode } from './linkCodes.ts';

/**
 * A code that links a chat to a seller's account, for an admin who has spoken to the person and
 * reads it out. Refuses `sellers.notFound`; `chats.noAccount` for an imported seller;
 * `chats.adminsOwn` for another admin's account.
 */
export async function giveLinkCode(ctx: Ctx, sellerId: string): Promise<NewCode> {
  requireAdmin(ctx);
  const { sellers, user } = schema;
  return inTransaction(ctx, async (tx) => {
    const [seller] = await tx.db
      .select({ userId: user.id, role: user.role })
      .from(sellers)
      .leftJoin(user, eq(user.id, sellers.userId))
      .where(eq(sellers.id, sellerId));
    if (!seller) throw new Refusal('sellers.notFound');
    if (!seller.userId) throw new Refusal('chats.noAccount');
    if (isTeam(seller.role)) throw new Refusal('chats.adminsOwn');
    await audit(tx, { action: 'seller.chatCode', subjectKind: 'seller', subjectId: sellerId });
    return makeCode(tx, seller.userId);
  });
}
