import type * as z from 'zod/mini';
import { defaultDurationHours, durationHours } from '../../../../api/products/schema.ts';
import type { slotEdit } from '../../../../api/slots/schema.ts';
import { place } from '../../lib/format.ts';
import { priceOf } from '../selling/wizard/draft.ts';
import type { Held, Listed } from './slots.ts';

/**
 * Text fields of the dialog. Place and region are one: 'City, Region', as sellers write it
 * (product §5).
 */
export type Answers = {
  nameEn: string;
  nameFr: string;
  descriptionEn: string;
  descriptionFr: string;
  price: string;
  location: string;
  businessName: string;
  condition: string;
};

const both = (text: Listed['name']) =>
  typeof text === 'string' ? { en: text, fr: '' } : { en: text?.en ?? '', fr: text?.fr ?? '' };

/** Initial values from a product. */
export function baseOf(product: Listed): Answers {
  const [name, description] = [both(product.name), both(product.description)];
  return {
    nameEn: name.en,
    nameFr: name.fr,
    descriptionEn: description.en,
    descriptionFr: description.fr,
    price: product.price === null ? '' : String(product.price),
    location: place(product.city, product.region) ?? '',
    businessName: product.businessName ?? '',
    condition: product.condition ?? '',
  };
}

/** Initial hours: the product's duration if it is an option. */
export function hoursOf(product: Pick<Listed, 'durationSeconds'>): number {
  const hours = (product.durationSeconds ?? 0) / 3600;
  return (durationHours as readonly number[]).includes(hours) ? hours : defaultDurationHours;
}

/**
 * API input of the dialog: the duration always restarts (product R8), other fields only if changed.
 */
export function editOf(
  slot: Held,
  answers: Answers,
  hours: number,
  isFeatured: boolean,
): z.input<typeof slotEdit> {
  const base = baseOf(slot.product);
  const changed = (...names: (keyof Answers)[]) =>
    names.some((name) => answers[name] !== base[name]);
  const text = (en: string, fr: string) => ({ en, ...(fr.trim() ? { fr } : {}) });
  return {
    productId: slot.product.id,
    seen: slot.product.updatedAt,
    durationHours: hours,
    ...(isFeatured === slot.isFeatured ? {} : { isFeatured }),
    ...(changed('nameEn', 'nameFr') ? { name: text(answers.nameEn, answers.nameFr) } : {}),
    ...(changed('descriptionEn', 'descriptionFr')
      ? { description: text(answers.descriptionEn, answers.descriptionFr) }
      : {}),
    // An empty price must count as missing, not as unchanged.
    ...(changed('price') ? { price: priceOf(answers.price) ?? (null as never) } : {}),
    ...(changed('location') ? { sellerLocation: answers.location } : {}),
    ...(changed('condition')
      ? { condition: (answers.condition || null) as z.input<typeof slotEdit>['condition'] }
      : {}),
    ...(changed('businessName') ? { businessName: answers.businessName.trim() || null } : {}),
  };
}
