import * as z from 'zod/mini';

/** What a search may be narrowed by, as it stands in an address. Read leniently by `rules.ts`. */
export const searchFields = [
  'q',
  'category',
  'condition',
  'region',
  'min',
  'max',
  'lane',
  'soon',
  'verified',
  'sort',
  'page',
] as const;
export type SearchField = (typeof searchFields)[number];

/** Any text is accepted: what cannot be used is left out, and `notes` of the answer says so. */
const anyText = z.optional(z.string());

export const marketQuery = z.strictObject({
  q: anyText,
  category: anyText,
  condition: anyText,
  region: anyText,
  min: anyText,
  max: anyText,
  lane: anyText,
  soon: anyText,
  verified: anyText,
  sort: anyText,
  page: anyText,
} satisfies Record<SearchField, typeof anyText>);

export const suggestionQuery = z.strictObject({ q: z.string() });

export const lanes = ['premium', 'standard'] as const;
export const sorts = ['match', 'ending', 'newest', 'price'] as const;

/** Each has a sentence in `search.json`. */
export const searchNotes = [
  'wordsCut',
  'noWords',
  'categoryUnknown',
  'conditionUnknown',
  'regionUnknown',
  'priceUnknown',
  'priceSwapped',
  'laneUnknown',
  'sortUnknown',
  'pageBeyond',
] as const;
export type SearchNote = (typeof searchNotes)[number];
