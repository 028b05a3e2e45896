import * as z from 'zod/mini';

/** One's own chat, by its row's id. */
export const chatId = z.strictObject({ id: z.uuid() });
export const chatNotices = z.strictObject({ on: z.boolean() });
