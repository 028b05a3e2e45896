import { requireAdminAccount } from '../../core/access.ts';
import { audit } from '../../core/audit.ts';
import type { Ctx } from '../../core/context.ts';
import { inTransaction } from '../../core/transaction.ts';
import { notify } from '../../people/notify.ts';
import { Refusal } from '../../shared/errors.ts';
import { lockAccount, lockAdmins } from '../locks.ts';
import { endTeamWays } from './endTeamWays.ts';

/** Makes a moderator a member again (product R60). Refuses `team.notModerator`, `notFound`. */
export async function takeModerator(ctx: Ctx, userId: string): Promise<{ id: string }> {
  requireAdminAccount(ctx);
  return inTransaction(ctx, async (tx) => {
    await lockAdmins(tx);
    const found = await lockAccount(tx, userId);
    if (!found) throw new Refusal('notFound');
    if (found.role !== 'moderator') throw new Refusal('team.notModerator');
    await endTeamWays(tx, userId);
    await audit(tx, {
      action: 'team.take',
      subjectKind: 'user',
      subjectId: userId,
      before: { role: 'moderator' },
      after: { role: 'member' },
    });
    await notify(tx, { userId }, 'moderatorTaken', {});
    return { id: userId };
  });
}
