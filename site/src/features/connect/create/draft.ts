import type * as z from 'zod/mini';
import type { newPost } from '../../../../../api/connect/schema.ts';
import { cleanLine } from '../../../../../api/shared/clean.ts';
import { phoneNumberIn } from '../../../../../api/shared/contact/phoneNumbers.ts';
import { worldPhone } from '../../../../../api/shared/fields.ts';
import { readJson, type SafeStorage } from '../../../lib/storage.ts';

/** Answers by the API's names; `tag` is typed but not yet added. */
export const emptyAnswers = {
  title: '',
  description: '',
  category: '',
  location: '',
  city: '',
  region: '',
  budgetMin: '',
  budgetMax: '',
  contactWhatsapp: '',
  tag: '',
  tags: [] as readonly string[],
};
export type Answers = typeof emptyAnswers;
export type TextName = Exclude<keyof Answers, 'tags'>;
/** Price and balance at a try without an answer; the balance is null if it was unknown. */
export type Tried = { balance: number | null; price: number; day: string };
/** Draft on the device, with the idempotency key of its publication. */
export type Draft = { answers: Answers; key: string; at: number; tried?: Tried | undefined };

export const draftPlace = (owner: number | undefined): string =>
  `marche54.draft.connect.${owner ?? 'me'}`;
/** Older drafts are dropped. */
const draftLife = 30 * 86_400_000;

const isDraft = (value: unknown): value is Draft => {
  if (typeof value !== 'object' || value === null) return false;
  const { answers, key, at } = value as Partial<Draft>;
  return (
    typeof answers === 'object' &&
    answers !== null &&
    typeof key === 'string' &&
    typeof at === 'number'
  );
};

const isTried = (value: unknown): value is Tried =>
  typeof value === 'object' && value !== null && 'day' in value && typeof value.day === 'string';

/** Reads a draft without invalid values; null when missing or too old. */
export function readDraft(from: SafeStorage, place: string, now: number): Draft | null {
  const draft = readJson(from, place, isDraft);
  if (!draft || now - draft.at > draftLife) return null;
  const { tags, ...texts } = draft.answers;
  const known = Object.entries(texts).filter(
    ([name, text]) => name in emptyAnswers && typeof text === 'string',
  );
  const answers = {
    ...emptyAnswers,
    ...Object.fromEntries(known),
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
  };
  return { ...draft, answers, tried: isTried(draft.tried) ? draft.tried : undefined };
}

export const isEmpty = ({ tags, ...texts }: Answers): boolean =>
  tags.length === 0 && Object.values(texts).every((text) => text.trim() === '');

/** Adds a cleaned tag unless it exists in any case (product §5). */
export function withTag(tags: readonly string[], typed: string): readonly string[] {
  const tag = cleanLine(typed);
  return tag === '' || tags.some((known) => known.toLowerCase() === tag.toLowerCase())
    ? tags
    : [...tags, tag];
}

const amountOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** API input of the draft, including the tag not yet added. */
export function toPost({
  tag,
  tags,
  category,
  budgetMin,
  budgetMax,
  ...texts
}: Answers): z.input<typeof newPost> {
  return {
    ...texts,
    category: category as z.input<typeof newPost>['category'],
    budgetMin: amountOf(budgetMin),
    budgetMax: amountOf(budgetMax),
    tags: [...withTag(tags, tag)],
  };
}

/**
 * Text without its first phone number, and the number; undefined if the WhatsApp field would refuse
 * it.
 */
export function withoutNumber(text: string): { text: string; number: string } | undefined {
  const found = phoneNumberIn(text);
  if (!found || !worldPhone.safeParse(found.number).success) return undefined;
  const rest = (text.slice(0, found.start) + text.slice(found.end))
    .replaceAll(/[ \t]+/g, ' ')
    .trim();
  return { text: rest, number: found.number };
}
