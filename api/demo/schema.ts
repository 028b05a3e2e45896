import * as z from 'zod/mini';
import { email } from '../shared/email.ts';

const uid = z.string().check(z.minLength(1), z.maxLength(100));
/** Cancelling wins over anything typed. */
export const demoChoice = z.union([
  z.object({ uid, cancel: z.string() }),
  z.object({
    uid,
    email,
    name: z._default(z.string().check(z.maxLength(100)), ''),
    proven: z.optional(z.literal('yes')),
  }),
]);

export const demoRoles = ['visitor', 'seller', 'member', 'admin'] as const;
export type DemoRole = (typeof demoRoles)[number];
const role = z._default(z.enum(demoRoles), 'visitor');

export const demoChat = z.object({
  as: role,
  after: z._default(z.coerce.number().check(z.int(), z.minimum(0)), 0),
  wait: z.optional(z.literal('1')),
});
/** `again` deletes the chat. */
export const demoMessage = z.object({
  as: role,
  text: z._default(z.string().check(z.maxLength(4096)), ''),
  share: z.optional(z.literal('number')),
  again: z.optional(z.literal('yes')),
  photo: z.optional(z.union([z.file(), z.literal('')])),
});
export const demoPhotoRef = z.object({ ref: z.uuid() });
