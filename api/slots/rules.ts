import { isPremium } from '../core/slots.ts';
import { fallbackDurationSeconds, type Lane, type Start } from '../listings/rules.ts';

export type Waiting = {
  productId: string;
  queueName: Lane;
  preferredFeaturedSlot: number | null;
  durationSeconds: number | null;
};

/**
 * Decides who gets which empty slot (product R5): featured products fill 1-10, the others 11-54, each lane in its own order. A
 * preferred slot is tried first; one without a preference leaves preferred slots to those behind as long as another is free.
 * @param empty numbers of the empty slots
 * @param waiting what waits, in the order of its lane
 */
export function assign(empty: readonly number[], waiting: readonly Waiting[]): Start[] {
  const result: Start[] = [];
  for (const lane of ['queue:featured', 'queue:regular'] as const) {
    const free = empty
      .filter((id) => isPremium(id) === (lane === 'queue:featured'))
      .sort((a, b) => a - b);
    // Only as many as there are slots: nobody is overtaken by a preference further behind.
    const next = waiting.filter((item) => item.queueName === lane).slice(0, free.length);
    const taken = new Map<string, number>();
    for (const item of next) {
      const preferred = item.preferredFeaturedSlot;
      if (preferred !== null && free.includes(preferred)) {
        taken.set(item.productId, preferred);
        free.splice(free.indexOf(preferred), 1);
      }
    }
    for (const item of next) {
      const slotId = taken.get(item.productId) ?? free.shift();
      if (slotId !== undefined)
        result.push({
          slotId,
          productId: item.productId,
          seconds: item.durationSeconds ?? fallbackDurationSeconds,
        });
    }
  }
  return result;
}
