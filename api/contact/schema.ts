import * as z from 'zod/mini';

/** A contact request is consented or it is none (marketplace §7 request_seller_contact). */
export const contactRequest = z.strictObject({ consent: z.boolean() });
