import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { unlinkChats } from '../people/chats.ts';
import { normalEmail } from '../shared/email.ts';
import { verifiedUser } from './create.ts';
import { endWaysIn } from './endWaysIn.ts';
import { anotherAdminStays, lockAccount, lockAdmins } from './locks.ts';

const { user } = schema;

/**
 * Takes an admin's rights, sessions, mailed links, chat links, waiting chat news and second factor;
 * account and password stay. Never called by a request. Throws for an unknown address, another
 * role, the last admin.
 */
export async function removeAdmin(ctx: Ctx, email: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await lockAdmins(tx);
    const known = await verifiedUser(tx, normalEmail(email));
    const found = known && (await lockAccount(tx, known.id));
    if (!found) throw new Error('Nobody has this address.');
    if (found.role !== 'admin') throw new Error('This account is no admin.');
    if (!(await anotherAdminStays(tx, found.id)))
      throw new Error('This is the last admin. Make another one first: bun run admin:create');
    const { secondFactors, chatLinkCodes, outbox } = schema;
    await tx.db
      .update(user)
      .set({ role: 'member', updatedAt: tx.now() })
      .where(eq(user.id, found.id));
    await endWaysIn(tx, found.id);
    await unlinkChats(tx, found.id);
    await tx.db.delete(chatLinkCodes).where(eq(chatLinkCodes.userId, found.id));
    await tx.db.delete(secondFactors).where(eq(secondFactors.userId, found.id));
    await tx.db
      .delete(outbox)
      .where(
        and(eq(outbox.userId, found.id), eq(outbox.kind, 'adminNews'), eq(outbox.state, 'waiting')),
      );
    await audit(tx, {
      action: 'admin.remove',
      subjectKind: 'user',
      subjectId: found.id,
      before: { role: 'admin' },
      after: { role: 'member' },
    });
  });
}
