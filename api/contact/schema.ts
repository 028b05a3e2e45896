import * as z from 'zod/mini';

const token = z.string().check(z.maxLength(600));
const answer = z.string().check(z.maxLength(200));

/** Consented contact request (product §7 request_seller_contact), with a newcomer's answer. */
export const contactRequest = z.strictObject({
  consent: z.boolean(),
  token: z.optional(token),
  answer: z.optional(answer),
});
/** The same from a form without scripts; `slot` is the way back. */
export const contactForm = z.object({
  consent: z.optional(z.literal('yes')),
  slot: z.optional(z.string()),
  token: z.optional(token),
  answer: z.optional(answer),
});
export const questionAsked = z.strictObject({ token });

export type Reply = { token: string; answer: string };
export const replyIn = ({
  token,
  answer,
}: {
  token?: string | undefined;
  answer?: string | undefined;
}): Reply | undefined => (token === undefined ? undefined : { token, answer: answer ?? '' });
