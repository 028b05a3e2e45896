import { schema } from '../../../db/client.ts';
import { requireAccount } from '../../core/access.ts';
import type { Ctx } from '../../core/context.ts';
import { Refusal } from '../../shared/errors.ts';
import { mailProof, pendingOf } from './emailChange.ts';

const { emailChanges } = schema;

/**
 * Mails a new link; the one before ends. Refuses `auth.linkExpired` if no change waits,
 * `account.otherSession` in another session than the change's, and as {@link askEmailChange} about
 * the address.
 */
export async function resendEmailChange(ctx: Ctx): Promise<{ sent: true }> {
  const { userId, sessionId } = requireAccount(ctx);
  const [waiting] = await ctx.db.select().from(emailChanges).where(pendingOf(userId));
  if (!waiting || waiting.linkExpiresAt <= ctx.now()) throw new Refusal('auth.linkExpired');
  if (waiting.sessionId !== sessionId) throw new Refusal('account.otherSession');
  return mailProof(ctx, waiting.newEmail);
}
