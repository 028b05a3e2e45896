import { openToEveryone } from '../../core/access.ts';
import type { SignUpCtx } from '../context.ts';
import { verifiedUser } from '../create.ts';
import { admit, inEqualTime, mayMail } from '../guards.ts';
import { type Replied, replyIn } from '../schema.ts';
import { mailWaiting } from '../signUp/pending.ts';

/**
 * Mails a reset link (1 hour, once), or a verification link if unproven. Unknown addresses get the
 * same answer in the same time. Refuses as {@link admit}, by network address alone.
 */
export async function forgotPassword(
  ctx: SignUpCtx,
  { email, ...given }: { email: string } & Replied,
): Promise<void> {
  openToEveryone(ctx);
  return inEqualTime(ctx, async () => {
    await admit(ctx, email, { form: 'letter', reply: replyIn(given), tries: false, mail: true });
    if (!(await verifiedUser(ctx, email))) return mailWaiting(ctx, email);
    if (await mayMail(ctx, 'reset', email))
      await ctx.auth.api.requestPasswordReset({ body: { email } });
  });
}
