import * as z from 'zod/mini';
import { languages } from '../../locales/languages.ts';
import { code, password, passwordLimits, presentPassword, strongPassword } from '../auth/schema.ts';
import { sellerName } from '../sellers/schema.ts';
import { email } from '../shared/email.ts';

export const proof = z.strictObject({ password: z.optional(presentPassword) });
export type Proof = z.output<typeof proof>;

export const newName = z.strictObject({ name: sellerName });
export const newLanguage = z.strictObject({ language: z.enum(languages) });
export const newPassword = z.strictObject({
  password: presentPassword,
  newPassword: password(passwordLimits.seller),
});
/** An admin's must be strong (product §5). */
export const newAdminPassword = z.strictObject({
  password: presentPassword,
  newPassword: strongPassword,
});
export const provider = z.strictObject({ provider: z.enum(['google']) });
export const sessionId = z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(100)) });
export { emailOnly as newEmail } from '../auth/schema.ts';
/** `code` is needed with a second factor. */
export const changedEmail = z.strictObject({
  email,
  password: z.optional(presentPassword),
  code: z.optional(code),
});
export type ChangedEmail = z.output<typeof changedEmail>;
export const emailLink = z.strictObject({
  token: z.string().check(z.minLength(1), z.maxLength(100)),
});
export const mailSwitch = z.strictObject({ on: z.boolean() });
export const exportId = z.strictObject({ id: z.uuid() });
