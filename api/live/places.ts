import type { Ctx } from '../core/context.ts';
import type { Load } from '../core/ports.ts';
import { Refusal } from '../shared/errors.ts';

type Places = { all: number; byAddress: Map<string, number> };
const taken = new WeakMap<Load, Places>();

/** Seconds; meanwhile a page polls once a minute. */
const retryAfter = 60;

/**
 * Reserves a stream and returns its release. Refuses `tooManyRequests` per address and
 * `unavailable` per process (decision 059), since each holds a descriptor for as long as the client
 * likes.
 */
export function takePlace({ client: { addressHash }, services: { load } }: Ctx): () => void {
  const places = taken.get(load) ?? { all: 0, byAddress: new Map<string, number>() };
  taken.set(load, places);
  const own = places.byAddress.get(addressHash) ?? 0;
  if (own >= load.streams.perAddress) throw new Refusal('tooManyRequests', {}, [], { retryAfter });
  if (places.all >= load.streams.all) throw new Refusal('unavailable', {}, [], { retryAfter });
  places.all++;
  places.byAddress.set(addressHash, own + 1);
  let given = false;
  return () => {
    if (given) return;
    given = true;
    places.all--;
    const left = (places.byAddress.get(addressHash) ?? 1) - 1;
    if (left > 0) places.byAddress.set(addressHash, left);
    else places.byAddress.delete(addressHash);
  };
}
