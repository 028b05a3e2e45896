import type { paymentMethods } from '../../db/vocabularies.ts';
import type { Bilingual } from '../../locales/languages.ts';
import type { EndReason } from '../listings/end.ts';
import { isApproved, isListed } from '../listings/rules.ts';

/** In the place of the numbers of a change, for moderators (product R60). */
export const hiddenNumber = { present: '…', other: '≠' } as const;

/** Splits 'City, Region' at its first comma (product §5). */
export function splitLocation(location: string): { city: string; region: string } {
  const comma = location.indexOf(',');
  if (comma < 0) return { city: location.trim(), region: '' };
  return { city: location.slice(0, comma).trim(), region: location.slice(comma + 1).trim() };
}

/** Key in `seller.json` of the payment sentence (product R31). */
export function payInstruction(
  method: (typeof paymentMethods)[number] | null,
  payee: { number: string; payee: string } | undefined,
): 'fee.instruction' | 'fee.instructionCash' | 'fee.noInstruction' {
  if (!method || !payee?.payee) return 'fee.noInstruction';
  if (method === 'cash') return 'fee.instructionCash';
  return payee.number ? 'fee.instruction' : 'fee.noInstruction';
}

export type CompletenessInput = {
  name: Bilingual | null;
  description: Bilingual | null;
  images: readonly unknown[];
  price: number | null;
  durationSeconds: number | null;
  category: string | null;
  sellerName: string | null;
  sellerWhatsapp: string | null;
  sellerLocation: string | null;
  city: string | null;
  paymentMethod: string | null;
};

export type MissingField =
  | 'name'
  | 'description'
  | 'images'
  | 'price'
  | 'duration_seconds'
  | 'category'
  | 'seller_name'
  | 'seller_whatsapp'
  | 'seller_location'
  | 'payment_method';

/** Fields that a product lacks (product §2 Data Integrity, product R12). */
export function missingFields(product: CompletenessInput): MissingField[] {
  const english = (text: Bilingual | null) =>
    (typeof text === 'string' ? text : text?.en)?.trim() ?? '';
  const missing: MissingField[] = [];
  if (english(product.name).length < 3) missing.push('name');
  if (english(product.description).length < 10) missing.push('description');
  if (product.images.length === 0) missing.push('images');
  if (product.price === null || product.price < 100) missing.push('price');
  if (product.durationSeconds === null) missing.push('duration_seconds');
  if (product.category === null) missing.push('category');
  if (!product.sellerName?.trim()) missing.push('seller_name');
  if (!product.sellerWhatsapp) missing.push('seller_whatsapp');
  if (!product.sellerLocation?.trim() && !product.city?.trim()) missing.push('seller_location');
  if (product.paymentMethod === null) missing.push('payment_method');
  return missing;
}

/** Actions an admin can take in review, by the rules of the verbs (product R20). */
export function adminCan({
  status,
  withdrawnAt,
  suspended,
  missing,
}: {
  status: string;
  withdrawnAt: Date | null;
  suspended: boolean;
  missing: readonly string[];
}): { approve: boolean; approveAnyway: boolean; recheck: boolean } {
  const approvable = status === 'pending' && withdrawnAt === null && !suspended;
  return {
    approve: approvable && missing.length === 0,
    approveAnyway: approvable,
    recheck: approvable || status === 'approved' || status === 'active',
  };
}

export type SellerAct = 'edit' | 'withdraw' | 'sold' | 'relist' | 'again' | 'notAgain';

/**
 * Actions a seller can take on an own product (decision 038). The verbs refuse by the same answer.
 * @param listing the latest; `slotId` only while it is in that slot
 * @param closed the seller is suspended or leaving
 */
export function sellerCan(
  {
    status,
    images,
    soldAt,
    withdrawnAt,
    removedAt,
  }: {
    status: string;
    images: readonly unknown[];
    soldAt: Date | null;
    withdrawnAt: Date | null;
    removedAt: Date | null;
  },
  listing:
    | { endedAt: Date | null; againAsked: Date | null; slotId: number | null }
    | null
    | undefined,
  closed = false,
): Record<SellerAct, boolean> {
  const open = removedAt === null && !closed;
  const listed = open && isListed({ status }, listing);
  const unlisted = open && isApproved(status) && !listed;
  const pending = open && status === 'pending';
  const asked = Boolean(listing?.againAsked);
  return {
    edit: open,
    withdraw: listed || (pending && withdrawnAt === null),
    sold: (listed || unlisted) && soldAt === null,
    // A product withdrawn before its review returns to it.
    relist: images.length > 0 && (unlisted || (pending && withdrawnAt !== null)),
    again: listed && Boolean(listing?.slotId) && !asked,
    notAgain: listed && asked,
  };
}

/** Badge of a seller's own product (product §2 dashboard, product R1). */
export type ProductLabel =
  | 'pending'
  | 'approved'
  | 'rejected'
  | 'live'
  | 'queued'
  | 'ended'
  | 'sold'
  | 'withdrawn'
  | 'removed';

type Explained = {
  label: ProductLabel;
  paused: boolean;
  rejectedReason: string | null;
  endReason: EndReason | null;
  endedAt: string | null;
  soldAt: string | null;
  withdrawnAt: string | null;
  removedAt: string | null;
  slotId: number | null;
  endTime: string | null;
  changeWaits: boolean;
  againAsked: boolean;
  unverifiedNumber: boolean;
};

const endings = {
  time: 'ended',
  stopped: 'stopped',
  reported: 'reported',
  removed: 'removed',
  withdrawn: 'withdrawn',
  sold: 'sold',
  sellerDeleted: 'removed',
  left: 'left',
} as const satisfies Record<EndReason, string>;

/** Sentence under `listing.hint` in `seller.json` that explains a product's state, and its date. */
export function hintOf({ label, paused, rejectedReason, endReason, ...when }: Explained) {
  const { endedAt, soldAt, withdrawnAt, removedAt, slotId, endTime } = when;
  const hint = <K extends string>(key: K, at: string | null = null) => ({ key, at });
  if (label === 'pending' || label === 'queued') return hint(label);
  if (label === 'rejected') return hint(rejectedReason ? 'rejected' : 'rejectedNoReason');
  if (label === 'removed')
    return hint(endReason === 'reported' ? 'removedReported' : 'removed', removedAt);
  if (label === 'sold') return hint(label, soldAt);
  if (label === 'withdrawn') return hint(label, withdrawnAt);
  if (label === 'ended') return hint(endings[endReason ?? 'time'], endedAt);
  if (paused) return hint('paused');
  return label === 'live' && slotId !== null && endTime ? hint(label, endTime) : undefined;
}

/** Sentences of `seller.json` to add to {@link hintOf}. */
export function notesOf({ label, changeWaits, againAsked, unverifiedNumber }: Explained) {
  const listed = label === 'live' || label === 'queued';
  return [
    ...(changeWaits && listed ? (['listing.hint.changeWaiting'] as const) : []),
    ...(againAsked ? (['listing.hint.again'] as const) : []),
    ...(unverifiedNumber && (listed || label === 'pending')
      ? (['dashboard.unverifiedNumber'] as const)
      : []),
  ];
}

/** Sentence under `listing.confirm` on marking as sold; only a live listing has a slot. */
export const soldText = (label: string | undefined) =>
  label === 'live' ? 'soldText' : label === 'queued' ? 'soldWaitingText' : 'soldEndedText';

/** Sentence under `listing.confirm` on withdrawing. */
export const withdrawText = (label: string | undefined) =>
  label === 'pending' ? 'withdrawReviewText' : 'withdrawText';

/** Reasons for a rejection that an admin can pick, under `pending.quickReasons` in `admin.json`. */
export const quickReasons = ['photos', 'price', 'description', 'prohibited'] as const;
