import type { Ctx } from '../core/context.ts';
import type { EngagementEvent } from './schema.ts';

/** `slotId` is a slot of the market, or a post of Connect. */
type Subject = Pick<EngagementEvent, 'type'> & { slotId: number | string; productId?: string };

/** `greeted`: the visitor gets a cookie, but the event does not count. */
export type Verdict = 'counts' | 'greeted' | 'refused';

/**
 * Limits events per visitor and address without a query (decision 059). Cached pages set no cookie,
 * so a first event may come without one; an address may be a whole town's, so its known visitors
 * have a far higher limit.
 */
export function verdictOn({ client, services, now }: Ctx, { slotId, type }: Subject): Verdict {
  const at = now();
  const take = (pace: Parameters<typeof services.load.take>[0], key: string) =>
    services.load.take(pace, key, at) === 0;
  const here = `${client.addressHash} ${slotId} ${type}`;
  if (client.visitor === null) {
    if (!take('newcomer', client.addressHash)) return 'refused';
    if (!take('newcomerInSlot', here)) return 'greeted';
    // Views are counted once in record.ts; repeated clicks and shares mean no more than the first.
  } else if (type !== 'view' && !take('visitorInSlot', `${client.visitor} ${slotId} ${type}`))
    return 'refused';
  return take('inSlot', here) ? 'counts' : 'greeted';
}
