/**
 * No message waits longer (WhatsApp's three days are the longest). A later due time comes from a
 * clock that was ahead, and would wait as long as it jumped.
 */
export const neverDueAfter = (now: Date): Date => new Date(now.getTime() + 4 * 86_400_000);
