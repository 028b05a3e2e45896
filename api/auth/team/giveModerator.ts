import { eq } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { requireAdminAccount } from '../../core/access.ts';
import { audit } from '../../core/audit.ts';
import type { Ctx } from '../../core/context.ts';
import { inTransaction } from '../../core/transaction.ts';
import { notify } from '../../people/notify.ts';
import { normalEmail } from '../../shared/email.ts';
import { Refusal } from '../../shared/errors.ts';
import { verifiedUser } from '../create.ts';
import { lockAccount, lockAdmins } from '../locks.ts';
import { endEveryWay } from './endTeamWays.ts';

const { sellers, user } = schema;

/**
 * Makes an account a moderator's (product R60); its sessions, mailed links and linked chats end: they
 * were made without the admins' sign-in. Refuses `team.nobody` without a proven account of this address,
 * `team.already`, `team.sells`, since sellers would review themselves, and `team.leaving`.
 */
export async function giveModerator(ctx: Ctx, email: string): Promise<{ id: string }> {
  requireAdminAccount(ctx);
  return inTransaction(ctx, async (tx) => {
    await lockAdmins(tx);
    const known = await verifiedUser(tx, normalEmail(email));
    const found = known && (await lockAccount(tx, known.id));
    if (!found) throw new Refusal('team.nobody');
    if (found.role !== 'member') throw new Refusal('team.already');
    if (found.leavingAt) throw new Refusal('team.leaving');
    const [seller] = await tx.db
      .select({ id: sellers.id })
      .from(sellers)
      .where(eq(sellers.userId, found.id));
    if (seller) throw new Refusal('team.sells');
    await tx.db
      .update(user)
      .set({ role: 'moderator', updatedAt: tx.now() })
      .where(eq(user.id, found.id));
    await endEveryWay(tx, found.id);
    await audit(tx, {
      action: 'team.give',
      subjectKind: 'user',
      subjectId: found.id,
      before: { role: 'member' },
      after: { role: 'moderator' },
    });
    await notify(tx, { userId: found.id }, 'moderatorGiven', {}, 'admin/auth');
    return { id: found.id };
  });
}
