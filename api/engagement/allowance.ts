import type { Ctx } from '../core/context.ts';
import type { EngagementEvent } from './schema.ts';

/** What an event is about: a slot stands for the product in it, a post of Connect for itself. */
type Subject = Pick<EngagementEvent, 'type'> & { slotId: number | string; productId?: string };

/**
 * What becomes of an event: it counts; the visitor is greeted with a cookie and the event does not count; or neither. Nothing of it is
 * asked of the database.
 */
export type Verdict = 'counts' | 'greeted' | 'refused';

/**
 * Whether one more event of this visitor, and of this address, may count (decision 025). Stored pages set no cookie, so
 * that an honest visitor's first event comes without one: so many of these are believed. An address is a whole town's, so what its
 * known visitors do is bounded far above them.
 */
export function verdictOn({ client, services, now }: Ctx, { slotId, type }: Subject): Verdict {
  const at = now();
  const take = (pace: Parameters<typeof services.load.take>[0], key: string) =>
    services.load.take(pace, key, at) === 0;
  const here = `${client.addressHash} ${slotId} ${type}`;
  if (client.visitor === null) {
    if (!take('newcomer', client.addressHash)) return 'refused';
    if (!take('newcomerInSlot', here)) return 'greeted';
    // A view counts once by itself (record.ts); who opens or shares a stall once more means the same as before.
  } else if (type !== 'view' && !take('visitorInSlot', `${client.visitor} ${slotId} ${type}`))
    return 'refused';
  return take('inSlot', here) ? 'counts' : 'greeted';
}
