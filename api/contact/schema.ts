import * as z from 'zod/mini';

/** The question that is answered, and the answer as it was typed. */
const token = z.string().check(z.maxLength(600));
const answer = z.string().check(z.maxLength(200));

/** A contact request is consented or it is none (product §7 request_seller_contact); a newcomer answers a question with it. */
export const contactRequest = z.strictObject({
  consent: z.boolean(),
  token: z.optional(token),
  answer: z.optional(answer),
});
/** The same as a form without a script sends it; `slot` is the way back. */
export const contactForm = z.object({
  consent: z.optional(z.literal('yes')),
  slot: z.optional(z.string()),
  token: z.optional(token),
  answer: z.optional(answer),
});
export const questionAsked = z.strictObject({ token });

/** An answer to a question. */
export type Reply = { token: string; answer: string };
export const replyIn = ({
  token,
  answer,
}: {
  token?: string | undefined;
  answer?: string | undefined;
}): Reply | undefined => (token === undefined ? undefined : { token, answer: answer ?? '' });
