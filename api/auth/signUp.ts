import { randomUUID } from 'node:crypto';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { inTransaction } from '../core/transaction.ts';
import { heldUntil } from '../people/leftEmails.ts';
import { notify } from '../people/notify.ts';
import { createProfile, refuseBarred } from '../sellers/profile.ts';
import type { Profile } from '../sellers/schema.ts';
import { passwordSignIn } from './accounts.ts';
import type { AuthCtx, SignUpCtx, WithCookies } from './context.ts';
import { hashPassword, verifiedUser } from './create.ts';
import { type Admission, admit, inEqualTime, mayMail } from './guards.ts';
import { keepSignUp, mailSignUpLink, mailWaiting } from './pending.ts';
import { type Replied, replyIn, type SignUp } from './schema.ts';

/** It waits for its proof, or the address was proven long ago: then that is a sign-in. */
type SignedUp = WithCookies<{ waits: boolean; profileFailed: boolean }> & {
  /** What the browser's cookie names. Where nothing was kept it names nothing, and looks the same. */
  signUp: string | null;
};

/**
 * Sign-up of a seller or a member: kept apart until its address is proven, with a verification mail (24 h). No account exists before. An address
 * that is already a proven account signs in when the password is right, as at the sign-in door, and gets its profile where it wants to sell;
 * otherwise the answer is the one that a new address gets, and the owner is told by mail, so that nobody learns who has an account here (decision 037).
 * Refuses as {@link admit}, `auth.codeNeeded`, and for selling `sellers.barred`, whether or not there is an account.
 */
export async function signUp(ctx: AuthCtx, given: SignUp): Promise<SignedUp> {
  const { email, password, selling, name, whatsapp, location } = given;
  return inEqualTime(async () => {
    const admission = await admit(ctx, email, {
      form: 'sign-up',
      reply: replyIn(given),
      tries: true,
      letter: true,
    });
    const known = await verifiedUser(ctx, email);
    const signedIn =
      known && (await unlessWrong(admission, () => passwordSignIn(ctx, known, password)));
    if (signedIn) {
      await admission.giveBack();
      const profileFailed = selling && (await tryProfile(ctx, known, { name, whatsapp, location }));
      return { value: { waits: false, profileFailed }, cookies: signedIn.cookies, signUp: null };
    }
    if (selling) await refuseBarred(ctx, email);
    const waits = { value: { waits: true, profileFailed: false }, cookies: [] };
    if (known) {
      if (await mayMail(ctx, 'sign-up', email))
        await notify(
          ctx,
          { userId: known.id },
          'accountExists',
          {},
          selling ? 'seller/auth' : 'sign-in',
        );
      return { ...waits, signUp: randomUUID() };
    }
    if (await heldUntil(ctx, email)) {
      // The cost of one hash, as for every other address.
      await unlessWrong(admission, () => hashPassword(ctx, password));
      await mailWaiting({ ...ctx, signUp: null }, email);
      return { ...waits, signUp: randomUUID() };
    }
    const kept = await unlessWrong(admission, () => keepSignUp(ctx, given));
    await (kept ? mailSignUpLink(ctx, kept) : mailWaiting({ ...ctx, signUp: null }, email));
    return { ...waits, signUp: kept?.id ?? randomUUID() };
  });
}

/** Keeps the count of a wrong password; gives it back for every other failure, which was no guess. */
async function unlessWrong<T>(
  admission: Admission,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'auth.invalidCredentials') return undefined;
    await admission.giveBack();
    throw error;
  }
}

/** Makes the profile on a best-effort basis; true when that failed, as for a barred address, which has an account and cannot sell. */
export async function tryProfile(
  ctx: Ctx,
  account: { id: string; email: string },
  profile: Profile,
): Promise<boolean> {
  try {
    // Of its own, so that a profile that cannot be made does not take the account with it.
    await inTransaction(ctx, (tx) =>
      createProfile(tx, { userId: account.id, email: account.email }, profile),
    );
    return false;
  } catch (error) {
    const code = error instanceof Refusal ? error.code : undefined;
    if (code === 'sellers.profileExists') return false;
    if (code !== 'sellers.barred')
      ctx.services.log.error('A profile could not be made at sign-up', { error });
    return true;
  }
}

/** Mails another link of this browser's sign-up, or without one of the newest. The answer is the same for an unknown or proven address. */
export async function resendVerification(
  ctx: SignUpCtx,
  { email, ...given }: { email: string } & Replied,
): Promise<void> {
  return inEqualTime(async () => {
    await admit(ctx, email, { form: 'letter', reply: replyIn(given), tries: false, letter: true });
    await mailWaiting(ctx, email);
  });
}
