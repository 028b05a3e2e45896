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

/** Translator for assignments: the slots' and the queue's both fit. */
export type SayAssignment = ReturnType<typeof clientTranslator<AssignmentWords>>;

export const isHeld = (slot: Slot): slot is Held => slot.product !== null;
/** Formats a duration with its two largest units (product §4 “days/hours/minutes left”). */
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

/** Seconds left at a time; for a paused listing the remaining ones. */
export const secondsLeft = (slot: Slot, now: number): number =>
  slot.state === 'paused'
    ? (slot.remainingSeconds ?? 0)
    : slot.endTime
      ? Math.max(0, Math.ceil((Date.parse(slot.endTime) - now) / 1000))
      : 0;

/** State at a time: a listing that ended since the last response has expired (product R3). */
export const stateAt = (slot: Slot, now: number): Slot['state'] =>
  slot.state === 'live' && secondsLeft(slot, now) === 0 ? 'expired' : slot.state;

/** Another admin was faster: close the dialog and reload the list. */
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

/** Message of a refused assignment, in the words of product §8 if it has any. */
export function whyNotAssigned(error: Error, t: SayAssignment): string {
  return isRefused('queue.notFound')(error) ? t('notInDatabase') : error.message;
}
