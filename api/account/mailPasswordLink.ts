import type { WithAuth } from '../auth/context.ts';
import { mayMail } from '../auth/guards.ts';
import { requireAccount } from '../core/access.ts';
import { Refusal } from '../shared/errors.ts';

/**
 * Mails the link for a first password: an open session does not prove the owner, the mailbox does.
 * Refuses `account.emailMissing`, `auth.tooManyAttempts`.
 */
export async function mailPasswordLink(ctx: WithAuth): Promise<{ sent: true }> {
  const { email } = requireAccount(ctx);
  if (email === null) throw new Refusal('account.emailMissing');
  if (!(await mayMail(ctx, 'reset', email))) throw new Refusal('auth.tooManyAttempts');
  await ctx.auth.api.requestPasswordReset({ body: { email } });
  return { sent: true };
}
