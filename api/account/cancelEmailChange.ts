import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { pendingOf } from './emailChange.ts';
import { accountOf } from './proof.ts';

const { emailChanges } = schema;

/** Cancels a waiting change from any session of the account; its link ends. */
export async function cancelEmailChange(ctx: Ctx): Promise<{ cancelled: true }> {
  await ctx.db.delete(emailChanges).where(pendingOf(accountOf(ctx).userId));
  return { cancelled: true };
}
