import * as z from 'zod/mini';
import { languages } from '../../locales/languages.ts';
import { email } from '../core/email.ts';
import { atMost, cleanText, given } from '../core/fields.ts';
import { isOwnPath, ownPath } from '../core/ownPath.ts';
import { optionalLocation, optionalPhone, sellerName } from '../sellers/schema.ts';

/** Password minimum: 8 for sellers, 6 in the admin form (product §5, §9). The upper limit bounds the hashing. */
export const passwordLimits = { seller: 8, admin: 6, max: 200 } as const;

const password = (min: number) =>
  z.string().check(z.minLength(1, 'required'), z.minLength(min), z.maxLength(passwordLimits.max));

/** What the password of an admin must be where it is chosen (product §5); sellers are asked for the plain minimum (decision 035). */
export const strongPassword = z.string().check(
  atMost(passwordLimits.max),
  z.refine(
    (text) =>
      text.length >= passwordLimits.seller &&
      [/\p{Lu}/u, /\p{Ll}/u, /\d/].every((kind) => kind.test(text)),
    'strongPassword',
  ),
);

/** Six digits of the phone, or a backup code; spaces and dashes are as people type them. */
export const code = z.pipe(
  z.pipe(
    given(40),
    z.transform((text) => text.replaceAll(/[\s-]/g, '').toLowerCase()),
  ),
  z.string().check(z.minLength(1, 'required'), z.maxLength(40)),
);
const presentPassword = z
  .string()
  .check(z.minLength(1, 'required'), z.maxLength(passwordLimits.max));

/** The answer to a question that was put ahead of a try (decision 059). */
const reply = {
  questionToken: z.optional(z.string().check(z.maxLength(160))),
  answer: z.optional(z.string().check(z.maxLength(200))),
};
export type Reply = { token: string; answer: string };
export type Replied = { questionToken?: string | undefined; answer?: string | undefined };
export const replyIn = ({ questionToken, answer }: Replied): Reply | undefined =>
  questionToken === undefined ? undefined : { token: questionToken, answer: answer ?? '' };

export const sellerSignIn = z.strictObject({
  email,
  password: password(passwordLimits.seller),
  ...reply,
});
/** The code is asked for once the password was right, where a second factor is on. */
export const adminSignIn = z.strictObject({
  email,
  password: password(passwordLimits.admin),
  code: z.optional(code),
  ...reply,
});
/** Whom `admin:create` makes an admin. */
export const newAdmin = z.strictObject({
  email,
  name: cleanText(100, 1),
  password: strongPassword,
});
export const beginFactor = z.strictObject({ password: presentPassword });
export const confirmFactor = z.strictObject({ code });
export const endFactor = z.strictObject({ password: presentPassword, code });
/** Path of this site to go on to after signing in, as a browser resolves it. */
export const wantedPath = z.string().check(
  atMost(1000),
  z.refine(isOwnPath, 'invalid'),
  z.overwrite((path) => ownPath(path)),
);
const next = z.optional(wantedPath);
/** Who does not sell gives no number and no place: what is sent of them is not kept. */
export const signUp = z.strictObject({
  email,
  password: password(passwordLimits.seller),
  name: sellerName,
  whatsapp: optionalPhone,
  location: optionalLocation,
  selling: z._default(z.boolean(), true),
  next,
  ...reply,
});
export type SignUp = z.output<typeof signUp>;
/** The sign-in form without scripts: judged by {@link sellerSignIn} once its way back is known. `language` is that of its page's address. */
const text = (max: number) => z._default(z.string().check(z.maxLength(max)), '');
export const plainSignIn = z.object({
  email: text(300),
  password: text(400),
  next: z.optional(z.string().check(z.maxLength(1000))),
  door: z._default(z.enum(['seller', 'member']), 'member'),
  language: z.optional(z.enum(languages)),
  ...reply,
});
export const keptForm = z.strictObject({ kept: z.string().check(z.maxLength(3000)) });
export const emailOnly = z.strictObject({ email, ...reply });
export const mailedSignIn = z.strictObject({ email, next, ...reply });
const linkToken = z.string().check(z.minLength(1, 'required'), z.maxLength(2000));
/** In another browser than the one of the sign-up: the password of the sign-up, or a new one instead of it. */
export const verifyEmail = z.strictObject({
  token: linkToken,
  password: z.optional(presentPassword),
  newPassword: z.optional(password(passwordLimits.seller)),
});
/** The code is asked for where a second factor is on. */
export const signInLink = z.strictObject({ token: linkToken, code: z.optional(code) });
/**
 * Where the button was (at one of the two doors, or on the account page of somebody who is signed in), the page to go on to, and the language
 * that the address of its page fixed.
 */
export const googleStart = z.object({
  door: z._default(z.enum(['seller', 'member', 'account']), 'member'),
  next: z.optional(z.string().check(z.maxLength(2000))),
  language: z.optional(z.enum(languages)),
});
export type Door = z.infer<typeof googleStart>['door'];
/** What a page says about a sign-in with Google that did not succeed. The reason travels as a word, never as a sentence that others could write. */
export const googleReasons = {
  denied: 'auth.providerDenied',
  away: 'auth.providerAway',
  failed: 'auth.providerFailed',
  unproven: 'auth.providerUnproven',
  over: 'auth.attemptOver',
  waits: 'auth.signUpWaits',
  other: 'auth.otherAddress',
  barred: 'sellers.barred',
} as const;
export const resetPassword = z.strictObject({
  token: z.string().check(z.minLength(1, 'required'), z.maxLength(200)),
  password: password(passwordLimits.seller),
});
