import type * as z from 'zod/mini';
import { defaultDurationHours, type submission } from '../products/schema.ts';

/** What is typed and chosen of a product, by the paths of the submission's schema, so that its problems find their fields. */
export type Answers = {
  'name.en': string;
  'name.fr': string;
  'description.en': string;
  'description.fr': string;
  category: string;
  price: string;
  durationHours: number;
  listingType: 'standard' | 'featured';
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
  category: '',
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

/** A price as people type it: spaces and separators of thousands are theirs to use. Nothing typed is nothing. */
export function priceOf(text: string): number | undefined {
  const bare = text.replace(/\s/g, '').replace(/(?:XAF|F?CFA)$/i, '');
  if (bare === '') return undefined;
  const whole = /^\d{1,3}([.,]\d{3})+$/.test(bare)
    ? bare.replace(/[.,]/g, '')
    : bare.replace(',', '.');
  return Number(whole);
}

/** The draft as the API takes it. What was left empty is left out, and judged by the schema. */
export function toSubmission(
  answers: Answers,
  images: string[],
): Partial<z.input<typeof submission>> {
  return {
    name: {
      en: answers['name.en'],
      ...(answers['name.fr'].trim() ? { fr: answers['name.fr'] } : {}),
    },
    description: {
      en: answers['description.en'],
      ...(answers['description.fr'].trim() ? { fr: answers['description.fr'] } : {}),
    },
    category: answers.category as z.input<typeof submission>['category'],
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

/** A draft older than this was given up, on the device as on the server. */
export const draftLifeMs = 30 * 86_400_000;
