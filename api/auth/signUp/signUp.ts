import { randomUUID } from 'node:crypto';
import { openToEveryone } from '../../core/access.ts';
import { inTransaction } from '../../core/transaction.ts';
import { heldUntil } from '../../people/leftEmails.ts';
import { notify } from '../../people/notify.ts';
import { refuseBarred } from '../../sellers/profile.ts';
import { Refusal } from '../../shared/errors.ts';
import type { AuthCtx, WithCookies } from '../context.ts';
import { hashPassword, verifiedUser } from '../create.ts';
import { type Admission, admit, inEqualTime, mayMail } from '../guards.ts';
import { replyIn, type SignUp } from '../schema.ts';
import { passwordSignIn } from '../signIn/passwordSignIn.ts';
import { keepSignUp, mailSignUpLink, mailWaiting } from './pending.ts';
import { tryProfile } from './tryProfile.ts';

/** `waits`: the address must be proven first; otherwise the person is signed in. */
type SignedUp = WithCookies<{ waits: boolean; profileFailed: boolean }> & {
  /** Id for the browser's cookie; random if nothing was kept, so that both look alike. */
  signUp: string | null;
};

/**
 * Keeps a sign-up, without an account, until the mailed link (24 h) proves the address. A proven
 * address with the right password signs in and gets its profile; with a wrong one the answer is
 * that of a new address and the owner is mailed, so that nobody learns who has an account (decision
 * 006). Refuses as {@link admit}, `auth.codeNeeded`, and for selling `sellers.barred`, account or
 * not.
 */
export async function signUp(ctx: AuthCtx, given: SignUp): Promise<SignedUp> {
  openToEveryone(ctx);
  const { email, password, selling, name, whatsapp, location } = given;
  return inEqualTime(ctx, async () => {
    const admission = await admit(ctx, email, {
      form: 'sign-up',
      reply: replyIn(given),
      tries: true,
      mail: true,
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
        await inTransaction(ctx, (tx) =>
          notify(
            tx,
            { userId: known.id },
            'accountExists',
            {},
            selling ? 'seller/auth' : 'sign-in',
          ),
        );
      return { ...waits, signUp: randomUUID() };
    }
    if (await heldUntil(ctx, email)) {
      // The time of one hash, as for every other address.
      await unlessWrong(admission, () => hashPassword(ctx, password));
      await mailWaiting({ ...ctx, signUp: null }, email);
      return { ...waits, signUp: randomUUID() };
    }
    const kept = await unlessWrong(admission, () => keepSignUp(ctx, given));
    await (kept ? mailSignUpLink(ctx, kept) : mailWaiting({ ...ctx, signUp: null }, email));
    return { ...waits, signUp: kept?.id ?? randomUUID() };
  });
}

/** Gives the count back unless the password was wrong. */
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
