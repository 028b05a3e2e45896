/** What a listing's badge goes by: the seller's verification, the listing's own number, and the seller's, which stands in for it. */
export type BadgeGrounds = {
  verifiedBy: 'chat' | 'admin' | null;
  verifiedWhatsapp: string | null;
  listing: string | null;
  profile: string | null;
};

/** The number that a listing's buyers are led to: its own, or the seller's where it has none. */
export function contactNumberOf({
  listing,
  profile,
}: Pick<BadgeGrounds, 'listing' | 'profile'>): string | null {
  return listing ?? profile;
}

/** Who vouches for a listing: the verification counts for the verified number alone (decision 028). */
export function badgeOf(grounds: BadgeGrounds): 'chat' | 'admin' | null {
  const number = contactNumberOf(grounds);
  return number !== null && number === grounds.verifiedWhatsapp ? grounds.verifiedBy : null;
}

/** A phone takes its number back from another account once in so many days; sooner, only an admin moves it. */
export const takingDays = 30;

export type Standing = {
  /** The profile's present number is the verified one. */
  verified: boolean;
  /** There is a verification, and it is of another number than the profile's. */
  verifiedEarlier: boolean;
};

/** What a seller's verification means for the profile as it is now. */
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
