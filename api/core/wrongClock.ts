/**
 * Nothing is put off for longer than this (the longest is a notice for WhatsApp, three days): what would be due later was written by a clock that was ahead and
 * has been put right since, and would wait for as long as the clock had jumped.
 */
export const neverDueAfter = (now: Date): Date => new Date(now.getTime() + 4 * 86_400_000);
