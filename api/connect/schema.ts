import * as z from 'zod/mini';
import {
  postCategories,
  postReportReasons,
  postStatuses,
  updateTypes,
} from '../../db/vocabularies.ts';
import { hasPhoneNumber } from '../shared/contact/phoneNumbers.ts';
import { atMost, cleanLine, cleanText, moment, optional, worldPhone } from '../shared/fields.ts';

/** Lengths in characters, and the number of tags (product §9). */
export const postLimits = {
  title: 100,
  description: 500,
  tags: 10,
  tag: 30,
  place: 100,
  message: 500,
  report: 300,
} as const;

/** A phone number in public text would let readers call without paying a credit. */
const withoutNumber = z.refine<string>((text) => !hasPhoneNumber(text), 'phoneInText');

/** XAF with two decimals, as `numeric(12,2)` stores it. */
const budget = z.number().check(
  z.minimum(0),
  z.maximum(9_999_999_999.99),
  z.refine((amount) => /^-?\d+(?:\.\d{1,2})?$/.test(String(amount)), 'decimals'),
);

/** Drops repeated tags, ignoring case. */
const tags = z.pipe(
  z.pipe(
    z.array(z.string()).check(atMost(50)),
    z.array(cleanLine(postLimits.tag, 1).check(withoutNumber)),
  ),
  z.pipe(
    z.transform((given: string[]) => [
      ...new Map(given.map((tag) => [tag.toLowerCase(), tag])).values(),
    ]),
    z.array(z.string()).check(z.maxLength(postLimits.tags)),
  ),
);

/** A new post (product §5). */
export const newPost = z
  .strictObject({
    title: cleanLine(postLimits.title, 1).check(withoutNumber),
    description: cleanText(postLimits.description, 1).check(withoutNumber),
    category: z.enum(postCategories, 'required'),
    location: optional(cleanLine(postLimits.place).check(withoutNumber)),
    city: optional(cleanLine(postLimits.place).check(withoutNumber)),
    region: optional(cleanLine(postLimits.place).check(withoutNumber)),
    budgetMin: z.nullish(budget),
    budgetMax: z.nullish(budget),
    contactWhatsapp: optional(worldPhone),
    tags: z._default(tags, []),
  })
  .check(
    z.refine(
      ({ budgetMin, budgetMax }) =>
        budgetMin == null || budgetMax == null || budgetMin <= budgetMax,
      { path: ['budgetMax'], error: 'budgetOrder' },
    ),
  );
export type NewPost = z.output<typeof newPost>;

export const newUpdate = z.strictObject({
  type: z._default(z.enum(updateTypes), 'note'),
  message: cleanText(postLimits.message, 1).check(withoutNumber),
});
export const newStatus = z.strictObject({ status: z.enum(postStatuses) });
export const newReport = z.strictObject({
  reason: z.enum(postReportReasons),
  note: optional(cleanText(postLimits.report)),
});

export const postFilters = ['reported', 'active', 'closed', 'hidden'] as const;
export const hiding = z.strictObject({
  reason: cleanLine(300, 3),
  refund: z._default(z.boolean(), false),
});
/** Keeps reports open that are newer than `seen`. */
export const reportsAnswer = z.strictObject({
  resolution: cleanLine(300, 3),
  seen: z.optional(moment),
});

export const postReference = z.strictObject({
  reference: z.string().check(z.regex(/^[a-hjkmnp-z2-9]{8}$/)),
});

const cursor = z.string().check(z.maxLength(80));
export const feedQuery = z.strictObject({
  search: z.optional(z.string().check(z.maxLength(200))),
  category: z._default(z.enum(['all', ...postCategories]), 'all'),
  after: z.optional(cursor),
});
export const mineQuery = z.strictObject({
  status: z._default(z.enum(postStatuses), 'active'),
  after: z.optional(cursor),
});

/** Up to 50 comma-separated ids: one page of a statement. */
export const paidQuery = z.strictObject({
  ids: z.pipe(
    z.string().check(atMost(2000)),
    z.pipe(
      z.transform((text: string) => text.split(',')),
      z.array(z.uuid()).check(z.maxLength(50)),
    ),
  ),
});
