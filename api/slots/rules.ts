/** Constants of slots (product §9); durations in seconds. */
export const slotCount = 54;
export const premiumCount = 10;
export const fallbackDurationSeconds = 6 * 3600;
export const manualDurationSeconds = 72 * 3600;
export const resumeFallbackSeconds = 86_400;
/** How far a paused slot's end is pushed: about a hundred years, as specified. No countdown is ever shown from it (product R7). */
export const pausedEndSeconds = 100 * 365.25 * 86_400;

/** Premium is a slot's number, 1-10 (product R6). */
export const isPremium = (slotId: number): boolean => slotId >= 1 && slotId <= premiumCount;

/** The slot number as it is written everywhere: two digits (product §2). */
export const slotNumber = (slotId: number): string => String(slotId).padStart(2, '0');

export type SlotState = 'empty' | 'live' | 'paused' | 'expired';

/** What a slot is at a moment: EXPIRED from zero until the next run frees it (product R3). */
export function slotState(slot: { active: boolean; endTime: Date | null; pausedAt: Date | null }, now: Date): SlotState {
  if (!slot.active || !slot.endTime) return 'empty';
  if (slot.pausedAt) return 'paused';
  return slot.endTime > now ? 'live' : 'expired';
}

export type Waiting = {
  productId: string;
  queueName: 'queue:featured' | 'queue:regular';
  preferredFeaturedSlot: number | null;
  durationSeconds: number | null;
};
export type Assignment = { slotId: number; productId: string; durationSeconds: number };

/**
 * Decides who gets which empty slot (product R5): featured products fill 1-10, the others 11-54, each lane in its own order. A
 * preferred slot is tried first; who comes without a wish leaves wished-for slots to those behind as long as another is free.
 * @param empty numbers of the empty slots
 * @param waiting what waits, in the order of its lane
 */
export function assign(empty: readonly number[], waiting: readonly Waiting[]): Assignment[] {
  const result: Assignment[] = [];
  for (const lane of ['queue:featured', 'queue:regular'] as const) {
    const free = empty.filter((id) => isPremium(id) === (lane === 'queue:featured')).sort((a, b) => a - b);
    // Only as many as there are slots: nobody is overtaken by a wish further behind.
    const next = waiting.filter((item) => item.queueName === lane).slice(0, free.length);
    const taken = new Map<string, number>();
    for (const item of next) {
      const wish = item.preferredFeaturedSlot;
      if (wish !== null && free.includes(wish)) {
        taken.set(item.productId, wish);
        free.splice(free.indexOf(wish), 1);
      }
    }
    for (const item of next) {
      const slotId = taken.get(item.productId) ?? free.shift();
      if (slotId !== undefined) result.push({ slotId, productId: item.productId, durationSeconds: item.durationSeconds ?? fallbackDurationSeconds });
    }
  }
  return result;
}
