import { queueNames } from '../../db/vocabularies.ts';
import { fallbackDurationSeconds, type Lane, type Start } from '../listings/rules.ts';
import { isPremium } from '../shared/slots.ts';

export type Waiting = {
  productId: string;
  queueName: Lane;
  preferredFeaturedSlot: number | null;
  durationSeconds: number | null;
};

/**
 * Assigns empty slots (product R5): featured products get premium ones, others standard ones, in
 * lane order. Preferred slots are tried first; others avoid them while another is free.
 * @param empty numbers of the empty slots
 * @param waiting in the order of each lane
 */
export function assign(empty: readonly number[], waiting: readonly Waiting[]): Start[] {
  const result: Start[] = [];
  for (const lane of queueNames) {
    const free = empty
      .filter((id) => isPremium(id) === (lane === 'queue:featured'))
      .sort((a, b) => a - b);
    // No more than there are slots, so that a preference further behind passes none of them.
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
