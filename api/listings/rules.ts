/** The queue that a listing waits in. */
export type Lane = 'queue:featured' | 'queue:regular';
export type ListingType = 'standard' | 'featured';

/** The queue that an approved product waits in (product §4). */
export const laneOf = (type: ListingType): Lane =>
  type === 'featured' ? 'queue:featured' : 'queue:regular';

/** How long a listing lasts (product §9), in seconds: one whose seller chose nothing, and one that is assigned by hand. */
export const fallbackDurationSeconds = 6 * 3600;
export const manualDurationSeconds = 72 * 3600;
/** A seller is told so long before the end, in hours. */
export const endsSoonHours = 6;
/** What a paused listing without a remainder or a duration of its own resumes with, in seconds. */
const resumeFallbackSeconds = 86_400;
/** How far a paused slot's end is pushed, in seconds: about a hundred years, as specified. No countdown is ever shown from it (product R7). */
export const pausedEndSeconds = 100 * 365.25 * 86_400;

/** Who gets which slot, and for how many seconds. */
export type Start = { productId: string; slotId: number; seconds: number };

/** Whether a product has been through review and its listing has not ended. */
export const isListed = (
  { status }: { status: string },
  listing: { endedAt: Date | null } | undefined | null,
): boolean => isApproved(status) && listing?.endedAt === null;

/** `active` is read like approved and never written (product R1). */
export const isApproved = (status: string | null): boolean =>
  status === 'approved' || status === 'active';

export type SlotState = 'empty' | 'live' | 'paused' | 'expired';

/** What a slot is at a moment: EXPIRED from zero until the next run frees it (product R3). {@link isLive} says the same to Postgres. */
export function slotState(
  slot: { active: boolean; endTime: Date | null; pausedAt: Date | null },
  now: Date,
): SlotState {
  if (!slot.active || !slot.endTime) return 'empty';
  if (slot.pausedAt) return 'paused';
  return slot.endTime > now ? 'live' : 'expired';
}

/** The seconds that a listing has left: what a paused slot keeps, or the time to its end; 0 when it is up. */
export function secondsLeft(
  slot: { pausedAt: Date | null; remainingDuration: number | null; endTime: Date },
  { durationSeconds }: { durationSeconds: number | null },
  now: Date,
): number {
  if (slot.pausedAt) return slot.remainingDuration || durationSeconds || resumeFallbackSeconds;
  return Math.max(0, Math.ceil((slot.endTime.getTime() - now.getTime()) / 1000));
}

/** The usual wait for one place in line, in hours, as specified (product §9). */
export const usualHoursPerPlace = { 'queue:featured': 1.5, 'queue:regular': 2 } as const;

/**
 * When a place in line comes up, from the actual end times of its lane's slots (product R17): who is n-th gets the n-th slot that
 * becomes free. Beyond one round of the lane, each further round is counted with the time that listings in it last.
 * @param position 1 is next
 * @param ends when each occupied slot of the lane ends; paused ones are left out, for nobody knows
 * @param empty how many slots of the lane are free now
 * @param roundHours how long a listing in the lane lasts, in hours
 */
export function estimateAt(
  position: number,
  ends: readonly Date[],
  empty: number,
  now: Date,
  roundHours: number,
): Date | null {
  const slots = ends.length + empty;
  if (slots === 0) return null;
  const order = [
    ...Array.from({ length: empty }, () => now.getTime()),
    ...ends.map((end) => Math.max(end.getTime(), now.getTime())).sort((a, b) => a - b),
  ];
  const round = Math.floor((position - 1) / slots);
  const base = order[(position - 1) % slots] ?? now.getTime();
  return new Date(base + round * roundHours * 3_600_000);
}

/** Listing fee in XAF by days, 1 to 5 (product §9). */
const fees: Record<ListingType, readonly number[]> = {
  standard: [1000, 2000, 3000, 4000, 4500],
  featured: [2500, 5000, 7500, 8000, 9000],
};

/** The fee of a listing in XAF: hours are rounded up to days (product §9, product R31). Throws beyond five days. */
export function listingFee(hours: number, type: ListingType): number {
  const fee = fees[type][Math.ceil(hours / 24) - 1];
  if (fee === undefined) throw new RangeError(`There is no fee for ${hours} hours`);
  return fee;
}

/** The fee of a product's next listing, in XAF; nothing for one whose duration has no price. */
export function feeFor({
  durationSeconds,
  listingType,
}: {
  durationSeconds: number | null;
  listingType: ListingType;
}): number | null {
  const hours = (durationSeconds ?? 0) / 3600;
  return hours > 0 && hours <= 120 ? listingFee(hours, listingType) : null;
}

/** What a payer writes on the transfer: short, unambiguous to read aloud (no 0/O, 1/I). */
export function feeReferenceOf(id: string): string {
  const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
  let number = BigInt(`0x${id.replaceAll('-', '').slice(0, 10)}`);
  let reference = '';
  for (let i = 0; i < 8; i++) {
    reference = alphabet[Number(number % 32n)] + reference;
    number /= 32n;
  }
  return `M54-${reference.slice(0, 4)}-${reference.slice(4)}`;
}
