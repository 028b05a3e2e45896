import type * as z from 'zod/mini';
import { clean, cleanLine } from '../../../../../api/core/clean.ts';
import { isPhone, toE164 } from '../../../../../api/core/fields.ts';
import {
  type AnswerName,
  type Answers,
  draftLifeMs,
  emptyAnswers,
  toSubmission,
} from '../../../../../api/drafts/rules.ts';
import type { correction, edit } from '../../../../../api/products/schema.ts';
import { readJson, type SafeStorage } from '../../../lib/storage.ts';

export {
  type AnswerName,
  type Answers,
  emptyAnswers,
  priceOf,
  toSubmission,
} from '../../../../../api/drafts/rules.ts';

/** The answers as they will be kept and shown: cleaned as the API cleans them. */
export function asKept(answers: Answers): Answers {
  const lines = ['name.en', 'name.fr', 'sellerName', 'sellerLocation', 'businessName'] as const;
  const number = answers.sellerWhatsapp;
  return {
    ...answers,
    ...Object.fromEntries(lines.map((name) => [name, cleanLine(answers[name])])),
    'description.en': clean(answers['description.en']),
    'description.fr': clean(answers['description.fr']),
    sellerWhatsapp: isPhone(number) ? toE164(number) : number.trim(),
  };
}

/** A change as the API takes it: without what stays as it was. */
export function toEdit(answers: Answers, images: string[]): z.input<typeof edit> {
  const { durationHours, listingType, preferredFeaturedSlot, paymentMethod, sellerId, ...rest } =
    toSubmission(answers, images);
  return rest as z.input<typeof edit>;
}

/** An admin's correction as the API takes it: what its seller chose is left out, as photos are that stay as they are. */
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

/** A product as the form begins with it, a seller's own or one that an admin completes: its words, or those of the change that waits, and its photos in their order. */
export type EditedProduct = {
  id: string;
  /** The old version stays up while the change waits for review. */
  listed: boolean;
  answers: Partial<Answers>;
  photos: { id: string; src: string; name: string }[];
  /** What is owed anew when the change lists it again. */
  fee: number | null;
  /** Why it was rejected, that a change waits already, or what is missing. */
  remark?: string | undefined;
  /** An admin fills in what is missing (decision 038): the version that was read, and what the form asks for besides. */
  correction?: { seen: string; asks: { duration: boolean; payment: boolean; photos: boolean } };
};

/** A photo of the product itself does not wait for one: the draft keeps it for as long as the product does. */
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

/** The photos of a draft of a change, without those that the product itself has lost since. */
export const stillThere = (kept: readonly KeptPhoto[], product: EditedProduct): KeptPhoto[] =>
  kept.filter(
    (photo) => photo.sentAt !== forEver || product.photos.some(({ id }) => id === photo.id),
  );

/** A photo of a draft. What the server has of it waits there for 24 hours; the file itself stays on the device (`keep.ts`). */
export type KeptPhoto = {
  key: string;
  name: string;
  size: number;
  was: number;
  id?: string;
  src?: string;
  sentAt?: number;
};
/** What the account has of a draft: the version that this device has seen, a print of what that was, and of what was sent without an answer since. */
export type Synced = { seen: string | null; sent: string; tried?: string };
export type Draft = {
  answers: Partial<Answers>;
  step: number;
  photos: KeptPhoto[];
  key: string;
  at: number;
  synced?: Synced;
};

/** How long the server keeps a photo of no product and no draft of an account, with an hour to spare. */
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

/** Reads a draft back: answers of the right kind, and its photos, with the server's copy of those that it still has. */
export function readDraft(from: SafeStorage, place: string, now: number): Draft | null {
  const draft = readJson(from, place, isDraft);
  if (!draft || now - draft.at > draftLifeMs) return null;
  const answers = Object.fromEntries(
    Object.entries(draft.answers).filter(
      ([name, value]) =>
        name in emptyAnswers &&
        (typeof value === typeof emptyAnswers[name as AnswerName] ||
          (name === 'preferredFeaturedSlot' && typeof value === 'number')),
    ),
  ) as Partial<Answers>;
  // With the account's draft its photos stay.
  const life = draft.synced?.seen ? draftLifeMs : photoLife;
  const photos = draft.photos.map(({ id, src, sentAt, ...photo }) =>
    id && src && sentAt && now - sentAt < life ? { ...photo, id, src, sentAt } : photo,
  );
  return { ...draft, answers, photos, step: Number.isInteger(draft.step) ? draft.step : 0 };
}

/** Under this name the device remembers the keys of what it has submitted, so that no tab sends the same draft again. */
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

/** The answers that are kept: those that differ from what the form starts with, and those that the draft has had, or a chat would ask for them again. */
export function keptAnswers(
  answers: Answers,
  start: Answers,
  had: Partial<Answers>,
): Partial<Answers> {
  const isKept = ([name, value]: [string, unknown]) =>
    value !== start[name as AnswerName] || value === had[name as AnswerName];
  return Object.fromEntries(Object.entries(answers).filter(isKept)) as Partial<Answers>;
}
