import * as z from 'zod/mini';
import { languages } from '../../locales/languages.ts';
import { productReference } from '../products/schema.ts';
import { slotField } from '../shared/fields.ts';
import { type Range, ranges } from './rules.ts';

/**
 * Events a browser may record (product §7, product R9); messageTap comes only from a contact
 * request.
 */
const recordable = ['view', 'click', 'share'] as const;
export const engagementEvent = z.strictObject({
  slotId: slotField,
  productId: productReference,
  type: z.enum(recordable),
});
export type EngagementEvent = z.output<typeof engagementEvent>;

/** `language` is for plain links, which send no header of their own. */
export const analyticsRange = z.strictObject({
  range: z._default(z.enum(Object.keys(ranges) as [Range, ...Range[]]), '7d'),
  language: z.optional(z.enum(languages)),
});
