import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { normalEmail } from '../shared/email.ts';
import { verifiedUser } from './create.ts';
import { anotherAdminStays, lockAccount, lockAdmins } from './locks.ts';
import { endTeamWays } from './team/endTeamWays.ts';

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
    await endTeamWays(tx, found.id);
    await audit(tx, {
      action: 'admin.remove',
      subjectKind: 'user',
      subjectId: found.id,
      before: { role: 'admin' },
      after: { role: 'member' },
    });
  });
}
