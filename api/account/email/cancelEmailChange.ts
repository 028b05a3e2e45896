import { schema } from '../../../db/client.ts';
import { requireAccount } from '../../core/access.ts';
import type { Ctx } from '../../core/context.ts';
import { pendingOf } from './emailChange.ts';

const { emailChanges } = schema;

/** Cancels a waiting change from any session of the account; its link ends. */
export async function cancelEmailChange(ctx: Ctx): Promise<{ cancelled: true }> {
  const { userId } = requireAccount(ctx);
  await ctx.db.delete(emailChanges).where(pendingOf(userId));
  return { cancelled: true };
}
