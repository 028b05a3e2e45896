import { openToEveryone } from '../../core/access.ts';
import { inTransaction } from '../../core/transaction.ts';
import { notify } from '../../people/notify.ts';
import type { SignUpCtx } from '../context.ts';
import { verifiedUser } from '../create.ts';
import { admit, inEqualTime, mayMail } from '../guards.ts';
import { type Replied, replyIn } from '../schema.ts';
import { mailWaiting } from '../signUp/pending.ts';
import { newSignInLink } from './signInLink.ts';

/**
 * Mails a sign-in link (15 minutes, once). Unknown addresses get the same answer; unproven ones a
 * verification link. Refuses as {@link admit}, by network address alone.
 */
export async function mailSignInLink(
  ctx: SignUpCtx,
  { email, next, ...given }: { email: string; next?: string | undefined } & Replied,
): Promise<void> {
  openToEveryone(ctx);
  return inEqualTime(ctx, async () => {
    await admit(ctx, email, { form: 'letter', reply: replyIn(given), tries: false, mail: true });
    const owner = await verifiedUser(ctx, email);
    if (!owner) return mailWaiting(ctx, email);
    if (!(await mayMail(ctx, 'sign-in', email))) return;
    await inTransaction(ctx, async (tx) =>
      notify(tx, { userId: owner.id }, 'signInLink', {}, await newSignInLink(tx, owner.id, next)),
    );
  });
}
