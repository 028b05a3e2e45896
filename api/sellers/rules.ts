import { keptDays } from '../shared/retention/periods.ts';
/** `listing` and `profile` are numbers; the profile's is used if the listing has none. */
export type BadgeGrounds = {
  verifiedBy: 'chat' | 'admin' | null;
  verifiedWhatsapp: string | null;
  listing: string | null;
  profile: string | null;
};

export function contactNumberOf({
  listing,
  profile,
}: Pick<BadgeGrounds, 'listing' | 'profile'>): string | null {
  return listing ?? profile;
}

/** Badge of a listing: a verification counts for the verified number alone (decision 028). */
export function badgeOf(grounds: BadgeGrounds): 'chat' | 'admin' | null {
  const number = contactNumberOf(grounds);
  return number !== null && number === grounds.verifiedWhatsapp ? grounds.verifiedBy : null;
}

/** Days between two take-backs of a number by its phone; sooner, only an admin moves it. */
export const takingDays = keptDays.numberTakings;

export type Standing = {
  verified: boolean;
  /** Another number than the profile's present one is verified. */
  verifiedEarlier: boolean;
};

export function standingOf({
  verifiedWhatsapp,
  whatsapp,
}: {
  verifiedWhatsapp: string | null;
  whatsapp: string | null;
}): Standing {
  const verified = verifiedWhatsapp !== null && verifiedWhatsapp === whatsapp;
  return { verified, verifiedEarlier: verifiedWhatsapp !== null && !verified };
}

/** A shop's old slug redirects for so long, and nobody else has it. */
export const slugKeptDays = keptDays.oldShopAddresses;
/** New slugs of one shop in so many days. */
export const shopNameChanges = { max: 3, days: 30 } as const;
