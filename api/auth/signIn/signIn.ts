import { openToEveryone } from '../../core/access.ts';
import { Refusal } from '../../shared/errors.ts';
import type { SignUpCtx, WithCookies } from '../context.ts';
import { verifiedUser } from '../create.ts';
import { admit } from '../guards.ts';
import { type Replied, replyIn } from '../schema.ts';
import { refuseUnproven } from '../signUp/pending.ts';
import { passwordSignIn } from './passwordSignIn.ts';

export type SignIn = { email: string; password: string; code?: string | undefined } & Replied;

/**
 * Signs in by password; only a wrong one stays counted. Refuses as {@link admit},
 * `auth.invalidCredentials`, `auth.emailNotVerified`, `auth.codeNeeded`.
 */
export async function signIn(
  ctx: SignUpCtx,
  { email, password, code, ...given }: SignIn,
): Promise<WithCookies<{ userId: string }>> {
  openToEveryone(ctx);
  const admission = await admit(ctx, email, {
    form: 'sign-in',
    reply: replyIn(given),
    tries: true,
    mail: false,
  });
  try {
    const owner = await verifiedUser(ctx, email);
    const signedIn = owner
      ? await passwordSignIn(ctx, owner, password, code)
      : await refuseUnproven(ctx, email, password);
    await admission.giveBack();
    return signedIn;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'auth.invalidCredentials')
      await admission.giveBack();
    throw error;
  }
}
