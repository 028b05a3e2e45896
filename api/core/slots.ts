import { premiumCount, slotCount } from '../../db/slots.ts';
import type { SlotFigures } from '../../locales/keys.ts';

export { premiumCount, slotCount };

/** Whether a number is a slot's. */
export const isSlot = (number: number): boolean =>
  Number.isInteger(number) && number >= 1 && number <= slotCount;

/** Premium is a slot's number, 1-10 (product R6). */
export const isPremium = (slotId: number): boolean => slotId >= 1 && slotId <= premiumCount;

/** The slot number as it is written wherever people read it, after a `#`: two digits (product §2). */
export const slotNumber = (slotId: number): SlotFigures =>
  String(slotId).padStart(2, '0') as SlotFigures;
