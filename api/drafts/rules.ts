import type * as z from 'zod/mini';
import type { listingTypes } from '../../db/vocabularies.ts';
import { defaultDurationHours, hasCondition, type submission } from '../products/schema.ts';
import { priceOf } from '../shared/price.ts';
import { keptMs } from '../shared/retention/periods.ts';

/**
 * Form answers, named by the paths of the submission schema so that its errors find their fields.
 */
export type Answers = {
  'name.en': string;
  'name.fr': string;
  'description.en': string;
  'description.fr': string;
  /** Readers of English get the French texts. */
  sameText: boolean;
  category: string;
  condition: string;
  price: string;
  durationHours: number;
  listingType: (typeof listingTypes)[number];
  preferredFeaturedSlot: number | null;
  sellerName: string;
  sellerWhatsapp: string;
  sellerLocation: string;
  businessName: string;
  paymentMethod: string;
  sellerId: string;
};
export type AnswerName = keyof Answers;

export const emptyAnswers: Answers = {
  'name.en': '',
  'name.fr': '',
  'description.en': '',
  'description.fr': '',
  sameText: false,
  category: '',
  condition: '',
  price: '',
  durationHours: defaultDurationHours,
  listingType: 'standard',
  preferredFeaturedSlot: null,
  sellerName: '',
  sellerWhatsapp: '',
  sellerLocation: '',
  businessName: '',
  paymentMethod: '',
  sellerId: '',
};

/**
 * Leaves empty answers out, so the schema reports them, and a condition that was given before the
 * category changed to one that has none.
 */
export function toSubmission(
  answers: Answers,
  images: string[],
): Partial<z.input<typeof submission>> {
  const { sameText } = answers;
  const text = (kind: 'name' | 'description') => {
    const fr = answers[`${kind}.fr`];
    return { en: sameText ? fr : answers[`${kind}.en`], ...(fr.trim() ? { fr } : {}) };
  };
  return {
    name: text('name'),
    description: text('description'),
    ...(sameText ? { writtenIn: 'fr' as const } : {}),
    category: answers.category as z.input<typeof submission>['category'],
    ...(answers.condition && hasCondition(answers.category)
      ? { condition: answers.condition as z.input<typeof submission>['condition'] }
      : {}),
    price: priceOf(answers.price) as number,
    durationHours: answers.durationHours,
    listingType: answers.listingType,
    ...(answers.listingType === 'featured' && answers.preferredFeaturedSlot !== null
      ? { preferredFeaturedSlot: answers.preferredFeaturedSlot }
      : {}),
    images,
    sellerName: answers.sellerName,
    sellerWhatsapp: answers.sellerWhatsapp,
    sellerLocation: answers.sellerLocation,
    ...(answers.businessName.trim() ? { businessName: answers.businessName } : {}),
    paymentMethod: answers.paymentMethod as z.input<typeof submission>['paymentMethod'],
    ...(answers.sellerId ? { sellerId: answers.sellerId } : {}),
  };
}

/** Lifetime of an untouched draft, on the device and on the server. */
export const draftLifeMs = keptMs('drafts');
