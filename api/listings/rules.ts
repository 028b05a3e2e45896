import type { listingTypes, queueNames } from '../../db/vocabularies.ts';

export type Lane = (typeof queueNames)[number];
export type ListingType = (typeof listingTypes)[number];

/** Queue by listing type (product §4). */
export const laneOf = (type: ListingType): Lane =>
  type === 'featured' ? 'queue:featured' : 'queue:regular';

/** Durations of listings (product §9). */
export const fallbackDurationSeconds = 6 * 3600;
export const manualDurationSeconds = 72 * 3600;
export const endsSoonHours = 6;
/** For a paused listing without remainder or duration. */
const resumeFallbackSeconds = 86_400;
/** A century, as specified; no countdown shows it (product R7). */
export const pausedEndSeconds = 100 * 365.25 * 86_400;

export type Start = { productId: string; slotId: number; seconds: number };

export const isListed = (
  { status }: { status: string },
  listing: { endedAt: Date | null } | undefined | null,
): boolean => isApproved(status) && listing?.endedAt === null;

/** `active` is read like approved and never written (product R1). */
export const isApproved = (status: string | null): boolean =>
  status === 'approved' || status === 'active';

export type SlotState = 'empty' | 'live' | 'paused' | 'expired';

/**
 * State of a slot: expired from zero until the next run frees it (product R3). {@link isLive} is
 * the same in SQL.
 */
export function slotState(
  slot: { active: boolean; endTime: Date | null; pausedAt: Date | null },
  now: Date,
): SlotState {
  if (!slot.active || !slot.endTime) return 'empty';
  if (slot.pausedAt) return 'paused';
  return slot.endTime > now ? 'live' : 'expired';
}

export function secondsLeft(
  slot: { pausedAt: Date | null; remainingDuration: number | null; endTime: Date },
  { durationSeconds }: { durationSeconds: number | null },
  now: Date,
): number {
  if (slot.pausedAt) return slot.remainingDuration || durationSeconds || resumeFallbackSeconds;
  return Math.max(0, Math.ceil((slot.endTime.getTime() - now.getTime()) / 1000));
}

/** Hours of wait per queue place (product §9). */
export const usualHoursPerPlace = { 'queue:featured': 1.5, 'queue:regular': 2 } as const;

/**
 * Estimates when a queue place gets a slot (product R17): the n-th place gets the n-th slot to
 * become free; each further round adds `roundHours`.
 * @param position 1 is next
 * @param ends ends of occupied slots; paused ones are left out, their end is unknown
 * @param empty slots free now
 * @param roundHours average hours of a listing in the lane
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

/** Fee in XAF; hours round up to days (product §9, product R31). Throws beyond five days. */
export function listingFee(hours: number, type: ListingType): number {
  const fee = fees[type][Math.ceil(hours / 24) - 1];
  if (fee === undefined) throw new RangeError(`There is no fee for ${hours} hours`);
  return fee;
}

/** Fee in XAF of a product's next listing; null if its duration has no price. */
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

/** Reference for the payer's transfer: short and clear when read aloud (no 0/O, 1/I). */
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
