import * as z from 'zod/mini';
import { hasLink } from './links.ts';
import { hasPhoneNumber } from './phoneNumbers.ts';
import { spellsNumber } from './spelledNumbers.ts';

export type ContactDetail = 'phone' | 'link';

/**
 * Contact details in a product's public text, which would lead buyers past the consent (product
 * R22).
 */
export function contactDetailIn(text: string): ContactDetail | undefined {
  // A link first: the number in `wa.me/237…` goes with it.
  if (hasLink(text)) return 'link';
  return hasPhoneNumber(text) || spellsNumber(text) ? 'phone' : undefined;
}

const without = (detail: ContactDetail, error: string) =>
  z.refine<string>((text) => contactDetailIn(text) !== detail, error);
/** For names that are public, and for all other public text of a product. */
export const nameWithoutContact = () =>
  [without('phone', 'phoneInName'), without('link', 'linkInName')] as const;
export const textWithoutContact = () =>
  [without('phone', 'phoneInProduct'), without('link', 'linkInProduct')] as const;
