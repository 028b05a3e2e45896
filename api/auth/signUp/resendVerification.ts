import { openToEveryone } from '../../core/access.ts';
import type { SignUpCtx } from '../context.ts';
import { admit, inEqualTime } from '../guards.ts';
import { type Replied, replyIn } from '../schema.ts';
import { mailWaiting } from './pending.ts';

/** Mails another link of a waiting sign-up; the answer is the same for every address. */
export async function resendVerification(
  ctx: SignUpCtx,
  { email, ...given }: { email: string } & Replied,
): Promise<void> {
  openToEveryone(ctx);
  return inEqualTime(ctx, async () => {
    await admit(ctx, email, { form: 'letter', reply: replyIn(given), tries: false, mail: true });
    await mailWaiting(ctx, email);
  });
}
