import type { InferResponseType } from 'hono/client';
import type { clientTranslator } from '../../../../locales/client.ts';
import type { Params } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { type ApiClient, isRefused } from '../../lib/api.ts';
import type { AdminScreen } from '../admin/screen.ts';
import type { AssignmentWords, SlotsWords } from './words.ts';

type SlotsAnswer = InferResponseType<ApiClient['admin']['slots']['$get'], 200>;
export type Slot = SlotsAnswer['slots'][number];
export type Listed = NonNullable<Slot['product']>;
export type Held = Slot & { product: Listed };
type Say = ReturnType<typeof clientTranslator<SlotsWords>>;
export type Spoken = { language: Language; t: Say };
export type SlotsScreen = AdminScreen<SlotsWords>;

/** What is said about assigning: the slots' own translator and the queue's fit. */
export type SayAssignment = ReturnType<typeof clientTranslator<AssignmentWords>>;

export const isHeld = (slot: Slot): slot is Held => slot.product !== null;
/** A span of time in days and hours, hours and minutes, or minutes: the two largest units (product §4 “days/hours/minutes left”). */
export function span(
  seconds: number,
  say: (
    key: `time.${'left' | 'span'}${'Days' | 'Hours' | 'Minutes' | 'UnderMinute'}`,
    params?: Params,
  ) => string,
  kind: 'left' | 'span',
) {
  const minutes = Math.floor(Math.max(0, seconds) / 60);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  if (days > 0) return say(`time.${kind}Days`, { days, hours });
  if (hours > 0) return say(`time.${kind}Hours`, { hours, minutes: minutes % 60 });
  return minutes > 0 ? say(`time.${kind}Minutes`, { minutes }) : say(`time.${kind}UnderMinute`);
}

/** Seconds that a listing has left at a moment: up to its end, or what a paused one keeps. */
export const secondsLeft = (slot: Slot, now: number): number =>
  slot.state === 'paused'
    ? (slot.remainingSeconds ?? 0)
    : slot.endTime
      ? Math.max(0, Math.ceil((Date.parse(slot.endTime) - now) / 1000))
      : 0;

/** What a slot is at a moment: a listing that ran out since the last answer has expired (product R3). */
export const stateAt = (slot: Slot, now: number): Slot['state'] =>
  slot.state === 'live' && secondsLeft(slot, now) === 0 ? 'expired' : slot.state;

/** Somebody else acted on the same thing: what the dialog asks about is no more, and the list must be read again. */
export const isOutdated = isRefused(
  'slots.notFound',
  'slots.empty',
  'slots.changed',
  'slots.paused',
  'slots.notPaused',
  'slots.expired',
  'queue.notFound',
  'queue.removed',
  'queue.alreadyAssigned',
  'queue.notWaiting',
);

/** The sentence for a refused assignment, in the words of product §8 where it has some. */
export function whyNotAssigned(error: Error, t: SayAssignment): string {
  return isRefused('queue.notFound')(error) ? t('notInDatabase') : error.message;
}
