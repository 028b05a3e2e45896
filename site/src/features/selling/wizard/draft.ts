import type * as z from 'zod/mini';
import {
  type AnswerName,
  type Answers,
  draftLifeMs,
  emptyAnswers,
  toSubmission,
} from '../../../../../api/drafts/rules.ts';
import type { correction, edit } from '../../../../../api/products/schema.ts';
import { clean, cleanLine } from '../../../../../api/shared/clean.ts';
import { readPhone } from '../../../../../api/shared/contact/readPhone.ts';
import { readJson, type SafeStorage } from '../../../lib/storage.ts';

export {
  type AnswerName,
  type Answers,
  emptyAnswers,
  toSubmission,
} from '../../../../../api/drafts/rules.ts';
export { priceOf } from '../../../../../api/shared/price.ts';

/** Answers cleaned as the API cleans them. */
export function asKept(answers: Answers): Answers {
  const lines = ['name.en', 'name.fr', 'sellerName', 'sellerLocation', 'businessName'] as const;
  const number = answers.sellerWhatsapp;
  return {
    ...answers,
    ...Object.fromEntries(lines.map((name) => [name, cleanLine(answers[name])])),
    'description.en': clean(answers['description.en']),
    'description.fr': clean(answers['description.fr']),
    sellerWhatsapp: readPhone(number) ?? number.trim(),
  };
}

/** API input of a change, without the fixed fields. */
export function toEdit(answers: Answers, images: string[]): z.input<typeof edit> {
  const { durationHours, listingType, preferredFeaturedSlot, paymentMethod, sellerId, ...rest } =
    toSubmission(answers, images);
  return rest as z.input<typeof edit>;
}

/** API input of an admin's correction, without the seller's choices and unchanged photos. */
export function toCorrection(
  answers: Answers,
  images: string[],
  { seen, asks }: NonNullable<EditedProduct['correction']>,
): z.input<typeof correction> {
  const { images: sent, ...rest } = toEdit(answers, images);
  return {
    ...rest,
    seen,
    ...(asks.photos ? { images: sent } : {}),
    ...(asks.duration ? { durationHours: answers.durationHours } : {}),
    ...(asks.payment
      ? { paymentMethod: answers.paymentMethod as z.input<typeof correction>['paymentMethod'] }
      : {}),
  };
}

/** Existing product in the form, with its waiting change. */
export type EditedProduct = {
  id: string;
  /** The old version stays live or queued until the review. */
  listed: boolean;
  answers: Partial<Answers>;
  photos: { id: string; src: string; name: string }[];
  /** Fee if the change relists it. */
  fee: number | null;
  remark?: string | undefined;
  /** Admin's correction (decision 038): the version read, and the extra steps. */
  correction?: { seen: string; asks: { duration: boolean; payment: boolean; photos: boolean } };
};

/** The product's own photos do not expire. */
const forEver = Number.MAX_SAFE_INTEGER;
export const ownPhotos = (product: EditedProduct): KeptPhoto[] =>
  product.photos.map(({ id, src, name }) => ({
    key: id,
    id,
    src,
    name,
    size: 0,
    was: 0,
    sentAt: forEver,
  }));

export const stillThere = (kept: readonly KeptPhoto[], product: EditedProduct): KeptPhoto[] =>
  kept.filter(
    (photo) => photo.sentAt !== forEver || product.photos.some(({ id }) => id === photo.id),
  );

/** The server's copy lasts 24 hours; the file stays on the device (`keep.ts`). */
export type KeptPhoto = {
  key: string;
  name: string;
  size: number;
  was: number;
  id?: string;
  src?: string;
  sentAt?: number;
};
/** Account's draft: version seen, print of its content, and print of an unanswered save. */
export type Synced = { seen: string | null; sent: string; tried?: string };
export type Draft = {
  answers: Partial<Answers>;
  step: number;
  photos: KeptPhoto[];
  key: string;
  at: number;
  synced?: Synced;
  /** Its owner has submitted it without a network: it goes when there is one, with these answers. */
  waits?: boolean;
  whole?: Partial<Answers>;
};

/** Server's storage of an unattached photo, less an hour. */
const photoLife = 23 * 3_600_000;

const isPhoto = (value: unknown): value is KeptPhoto =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  typeof value.key === 'string' &&
  'name' in value &&
  typeof value.name === 'string';

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' &&
  value !== null &&
  'answers' in value &&
  typeof value.answers === 'object' &&
  'photos' in value &&
  Array.isArray(value.photos) &&
  value.photos.every(isPhoto) &&
  'key' in value &&
  typeof value.key === 'string' &&
  'at' in value &&
  typeof value.at === 'number';

const validOf = (answers: Partial<Answers> = {}): Partial<Answers> =>
  Object.fromEntries(
    Object.entries(answers).filter(
      ([name, value]) =>
        name in emptyAnswers &&
        (typeof value === typeof emptyAnswers[name as AnswerName] ||
          (name === 'preferredFeaturedSlot' && typeof value === 'number')),
    ),
  );

/**
 * Draft on the device, without invalid answers and expired copies; null when missing or too old.
 */
export function readDraft(from: SafeStorage, place: string, now: number): Draft | null {
  const draft = readJson(from, place, isDraft);
  if (!draft || now - draft.at > draftLifeMs) return null;
  // The account's draft keeps its photos.
  const life = draft.synced?.seen ? draftLifeMs : photoLife;
  const photos = draft.photos.map(({ id, src, sentAt, ...photo }) =>
    id && src && sentAt && now - sentAt < life ? { ...photo, id, src, sentAt } : photo,
  );
  const step = Number.isInteger(draft.step) ? draft.step : 0;
  const answers = validOf(draft.answers);
  return {
    ...draft,
    answers,
    photos,
    step,
    waits: draft.waits === true,
    whole: validOf(draft.whole),
  };
}

/** Keys of submitted drafts, so that no tab submits one twice. */
const submittedPlace = 'marche54.submitted';
const isKeys = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((key) => typeof key === 'string');
export const wasSubmitted = (from: SafeStorage, key: string): boolean =>
  (readJson(from, submittedPlace, isKeys) ?? []).includes(key);
export const rememberSubmitted = (from: SafeStorage, key: string): void =>
  from.set(
    submittedPlace,
    JSON.stringify([...(readJson(from, submittedPlace, isKeys) ?? []), key].slice(-20)),
  );

/**
 * Answers that differ from the initial ones, and those of the loaded draft, which a chat would ask
 * for again.
 */
export function keptAnswers(
  answers: Answers,
  start: Answers,
  had: Partial<Answers>,
): Partial<Answers> {
  const isKept = ([name, value]: [string, unknown]) =>
    value !== start[name as AnswerName] || value === had[name as AnswerName];
  return Object.fromEntries(Object.entries(answers).filter(isKept)) as Partial<Answers>;
}
