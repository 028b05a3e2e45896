import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import type { Load } from '../core/load.ts';

type Places = { all: number; byAddress: Map<string, number> };
/** The streams that are open in this process, whoever hears them. */
const taken = new WeakMap<Load, Places>();

/** Seconds after which a page may try again; by itself it looks once a minute then. */
const retryAfter = 60;

/**
 * Takes a place for one more stream that stays open; answers how to give it back. Refuses `tooManyRequests` when its address has too many,
 * `unavailable` when the process has (decision 025): each holds a descriptor and some kilobytes for as long as it likes.
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
