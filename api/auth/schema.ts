import * as z from 'zod/mini';
import { languages } from '../../locales/languages.ts';
import { optionalLocation, optionalPhone, sellerName } from '../sellers/schema.ts';
import { email } from '../shared/email.ts';
import { atMost, cleanText, given } from '../shared/fields.ts';
import { isOwnPath, ownPath } from '../shared/ownPath.ts';
import { normalPassword } from './passwords/normal.ts';

/**
 * Password minimum: 8 for sellers, 6 in the admin form (product §5, §9). The maximum bounds
 * hashing.
 */
export const passwordLimits = { seller: 8, admin: 6, max: 200 } as const;

/** Counts what is hashed, so that an accent counts once, however it is typed. */
const passwordLength = (min = 0) =>
  z.check<string>(({ value, issues }) => {
    const { max } = passwordLimits;
    const length = value.length > 4 * max ? value.length : normalPassword(value).length;
    const issue = { origin: 'string', inclusive: true, input: value } as const;
    if (length < min) issues.push({ code: 'too_small', minimum: min, ...issue });
    if (length > max) issues.push({ code: 'too_big', maximum: max, continue: false, ...issue });
  });
export const password = (min: number) =>
  z.string().check(z.minLength(1, 'required'), passwordLength(min));

/** An admin's new password (product §5); sellers need the minimum only (decision 035). */
export const strongPassword = z.string().check(
  passwordLength(),
  z.refine(
    (text) =>
      normalPassword(text).length >= passwordLimits.seller &&
      [/\p{Lu}/u, /\p{Ll}/u, /\d/].every((kind) => kind.test(text)),
    'strongPassword',
  ),
);

/** Six digits, or a backup code; spaces and dashes are dropped. */
export const code = z.pipe(
  z.pipe(
    given(40),
    z.transform((text) => text.replaceAll(/[\s-]/g, '').toLowerCase()),
  ),
  z.string().check(z.minLength(1, 'required'), z.maxLength(40)),
);
export const presentPassword = z.string().check(z.minLength(1, 'required'), passwordLength());

/** Answer to the question of the sign-in limits (decision 059). */
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
export const adminSignIn = z.strictObject({
  email,
  password: password(passwordLimits.admin),
  code: z.optional(code),
  ...reply,
});
export const newAdmin = z.strictObject({
  email,
  name: cleanText(100, 1),
  password: strongPassword,
});
export const beginFactor = z.strictObject({ password: presentPassword });
export const confirmFactor = z.strictObject({ code });
export const endFactor = z.strictObject({ password: presentPassword, code });
/** Resolved as a browser does. */
export const wantedPath = z.string().check(
  atMost(1000),
  z.refine(isOwnPath, 'invalid'),
  z.overwrite((path) => ownPath(path)),
);
const next = z.optional(wantedPath);
/** Without `selling`, number and place are not kept. */
export const signUp = z.strictObject({
  email,
  password: password(passwordLimits.seller),
  name: sellerName,
  whatsapp: optionalPhone,
  location: optionalLocation,
  selling: z._default(z.boolean(), true),
  /** The checkbox's value: version of the terms that the form showed. */
  agreed: z.string('agreed').check(z.regex(/^\d+(?:-\d{8})?$/, 'agreed')),
  next,
  ...reply,
});
export type SignUp = z.output<typeof signUp>;
/** Lax, so that a bad field can be shown again; {@link sellerSignIn} judges it. */
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
/** A browser other than the sign-up's needs its password or a new one. */
export const verifyEmail = z.strictObject({
  token: linkToken,
  password: z.optional(presentPassword),
  newPassword: z.optional(password(passwordLimits.seller)),
});
export const signInLink = z.strictObject({ token: linkToken, code: z.optional(code) });
/** `language` is set if the page's path began with it. */
export const googleStart = z.object({
  door: z._default(z.enum(['seller', 'member', 'account']), 'member'),
  next: z.optional(z.string().check(z.maxLength(2000))),
  language: z.optional(z.enum(languages)),
});
export type SignInPage = z.infer<typeof googleStart>['door'];
/**
 * Reasons of a failed sign-in with Google: words in the URL, so that nobody can put a sentence of
 * their own on the page.
 */
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
