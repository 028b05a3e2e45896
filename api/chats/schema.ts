import * as z from 'zod/mini';

export const chatId = z.strictObject({ id: z.uuid() });
export const chatNotices = z.strictObject({ on: z.boolean() });
