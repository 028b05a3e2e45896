import { premiumCount, slotCount } from '../../db/slots.ts';

export { premiumCount, slotCount };

/** Whether a number is a slot's. */
export const isSlot = (number: number): boolean => Number.isInteger(number) && number >= 1 && number <= slotCount;

/** Premium is a slot's number, 1-10 (product R6). */
export const isPremium = (slotId: number): boolean => slotId >= 1 && slotId <= premiumCount;

/** The slot number as it is written everywhere: two digits (product §2). */
export const slotNumber = (slotId: number): string => String(slotId).padStart(2, '0');
