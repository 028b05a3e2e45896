import type { Env } from '../ops/env.ts';

const hourMs = 3_600_000;
/**
 * WhatsApp allows free text for 24 hours after the person's last message; five minutes are left for
 * clock differences.
 */
export const replyWindow = { openMs: 24 * hourMs - 5 * 60_000, waitMs: 3 * 24 * hourMs } as const;
export const windowOpen = (wroteAt: Date | null, now: Date): boolean =>
  wroteAt !== null && now.getTime() - wroteAt.getTime() < replyWindow.openMs;

/** True for a chat that an unasked message reaches now: on the Cloud API its window must be open. */
export const isOpenTo = (
  { WHATSAPP_CLOUD_TOKEN, WHATSAPP_CLOUD_TEMPLATE }: Env,
  { transport, wroteAt }: { transport: string; wroteAt: Date | null },
  now: Date,
): boolean =>
  transport !== 'whatsapp' ||
  !WHATSAPP_CLOUD_TOKEN ||
  WHATSAPP_CLOUD_TEMPLATE !== undefined ||
  windowOpen(wroteAt, now);
