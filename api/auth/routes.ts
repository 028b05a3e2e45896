import { type Context, Hono } from 'hono';
import { everyone, roleOf, signedIn } from '../core/access.ts';
import type { Ctx, SellerOfActor } from '../core/context.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { completeProfile } from '../sellers/profile.ts';
import { teamContact } from '../sellers/reads.ts';
import { standingOf } from '../sellers/rules.ts';
import { profile } from '../sellers/schema.ts';
import type { Auth } from './auth.ts';
import type { AuthCtx, SignUpCtx, WithCookies } from './context.ts';
import { googleRoutes } from './google/routes.ts';
import { forgotPassword } from './passwords/forgotPassword.ts';
import { resetPassword } from './passwords/resetPassword.ts';
import * as schema from './schema.ts';
import { mailSignInLink } from './signIn/mailSignInLink.ts';
import { plainSignInRoutes } from './signIn/plainSignIn.ts';
import { signIn } from './signIn/signIn.ts';
import { signInAdmin } from './signIn/signInAdmin.ts';
import { useSignInLink } from './signIn/useSignInLink.ts';
import { signOut } from './signOut.ts';
import { resendVerification } from './signUp/resendVerification.ts';
import { signUp } from './signUp/signUp.ts';
import { forgetSignUp, readSignUp, rememberSignUp } from './signUp/signUpCookie.ts';
import { verifyEmail } from './signUp/verify.ts';

/** Hides the verified number itself; a suspended seller gets the team's contact. */
const presentOwn = async (ctx: Ctx, { verifiedWhatsapp, ...seller }: SellerOfActor) => ({
  ...seller,
  ...standingOf({ verifiedWhatsapp, whatsapp: seller.whatsapp }),
  team: seller.suspended ? await teamContact(ctx) : null,
});

/** Routes of sign-in and sign-up (product §7 Seller and auth). */
export function authRoutes(auth: Auth) {
  const authCtx = (c: Context<AppEnv>): AuthCtx => ({
    ...c.get('ctx'),
    auth,
    headers: c.req.raw.headers,
  });
  const signUpCtx = async (c: Context<AppEnv>): Promise<SignUpCtx> => ({
    ...authCtx(c),
    signUp: await readSignUp(c),
  });
  const answer = <T>(c: Context<AppEnv>, { value, cookies }: WithCookies<T>): T => {
    for (const cookie of cookies) c.header('set-cookie', cookie, { append: true });
    return value;
  };
  return new Hono<AppEnv>()
    .route('/', googleRoutes(auth))
    .route('/', plainSignInRoutes(signUpCtx))
    .get(
      '/me',
      route({
        who: everyone,
        tag: 'accounts',
        summary: 'Who is asking: role, name and seller profile',
      }),
      async (c) => {
        const ctx = c.get('ctx');
        const { actor } = ctx;
        const seller = 'seller' in actor ? actor.seller : null;
        return c.json({
          role: roleOf(actor),
          name: 'name' in actor ? actor.name : null,
          email: 'email' in actor ? actor.email : null,
          // Only its owner gets the number here; others use the contact call.
          seller: seller && (await presentOwn(ctx, seller)),
        });
      },
    )
    .post(
      '/sign-up',
      route({
        who: everyone,
        tag: 'accounts',
        summary: 'Sign up as a seller or a member and mail a verification link',
      }),
      valid('json', schema.signUp),
      async (c) => {
        const { signUp: kept, ...done } = await signUp(authCtx(c), c.req.valid('json'));
        if (kept) await rememberSignUp(c, kept);
        return c.json(answer(c, done));
      },
    )
    .post(
      '/sign-in',
      route({ who: everyone, tag: 'accounts', summary: 'Sign in with email and password' }),
      valid('json', schema.sellerSignIn),
      async (c) => {
        answer(c, await signIn(await signUpCtx(c), c.req.valid('json')));
        return c.json({ signedIn: true });
      },
    )
    .post(
      '/admin/sign-in',
      route({
        who: everyone,
        tag: 'accounts',
        summary: 'Sign in as an admin; refuses everyone who is none',
      }),
      valid('json', schema.adminSignIn),
      async (c) => {
        answer(c, await signInAdmin(await signUpCtx(c), c.req.valid('json')));
        return c.json({ signedIn: true });
      },
    )
    .post(
      '/sign-out',
      route({ who: everyone, tag: 'accounts', summary: 'End the present session' }),
      async (c) => {
        answer(c, await signOut(authCtx(c)));
        return c.json({ signedOut: true });
      },
    )
    .post(
      '/verify-email',
      route({
        who: everyone,
        tag: 'accounts',
        summary: 'Use a verification link, once: make the account and sign in',
      }),
      valid('json', schema.verifyEmail),
      async (c) => {
        const done = await verifyEmail(await signUpCtx(c), c.req.valid('json'));
        forgetSignUp(c);
        return c.json(answer(c, done));
      },
    )
    .post(
      '/sign-in-link',
      route({
        who: everyone,
        tag: 'accounts',
        summary: 'Mail a link that signs in without the password',
      }),
      valid('json', schema.mailedSignIn),
      async (c) => {
        await mailSignInLink(await signUpCtx(c), c.req.valid('json'));
        return c.json({ sent: true });
      },
    )
    .post(
      '/sign-in-link/use',
      route({
        who: everyone,
        tag: 'accounts',
        summary: 'Sign in by a mailed link, once; with the code where a second factor is on',
      }),
      valid('json', schema.signInLink),
      async (c) => c.json(answer(c, await useSignInLink(authCtx(c), c.req.valid('json')))),
    )
    .post(
      '/resend-verification',
      route({ who: everyone, tag: 'accounts', summary: 'Mail a new verification link' }),
      valid('json', schema.emailOnly),
      async (c) => {
        await resendVerification(await signUpCtx(c), c.req.valid('json'));
        return c.json({ sent: true });
      },
    )
    .post(
      '/forgot-password',
      route({ who: everyone, tag: 'accounts', summary: 'Mail a link for a new password' }),
      valid('json', schema.emailOnly),
      async (c) => {
        await forgotPassword(await signUpCtx(c), c.req.valid('json'));
        return c.json({ sent: true });
      },
    )
    .post(
      '/reset-password',
      route({ who: everyone, tag: 'accounts', summary: 'Set a new password with a mailed link' }),
      valid('json', schema.resetPassword),
      async (c) => {
        await resetPassword(authCtx(c), c.req.valid('json'));
        return c.json({ changed: true });
      },
    )
    .put(
      '/profile',
      route({
        who: signedIn.filter((role) => role !== 'suspendedSeller' && role !== 'moderator'),
        tag: 'accounts',
        summary: 'Make or complete the seller profile',
      }),
      valid('json', profile),
      async (c) => c.json(await completeProfile(c.get('ctx'), c.req.valid('json'))),
    );
}
