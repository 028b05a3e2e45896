import { premiumCount, slotCount } from '../../db/slots.ts';
import type { SlotFigures } from '../../locales/keys.ts';

export { premiumCount, slotCount };

export const isSlot = (number: number): boolean =>
  Number.isInteger(number) && number >= 1 && number <= slotCount;

/** The first slots are premium (product R6). */
export const isPremium = (slotId: number): boolean => slotId >= 1 && slotId <= premiumCount;

/** The two-digit slot number shown after `#` (product §2). */
export const slotNumber = (slotId: number): SlotFigures =>
  String(slotId).padStart(2, '0') as SlotFigures;
