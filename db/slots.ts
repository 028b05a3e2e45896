/** Stalls are numbered from 1 (product §3, §9). */
export const slotCount = 54;
/** The first ones are premium (product R6). */
export const premiumCount = 10;
