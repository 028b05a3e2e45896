import type { InferResponseType } from 'hono/client';
import type { clientTranslator } from '../../../../locales/client.ts';
import { type ApiClient, isRefused } from '../../lib/api.ts';
import type { AdminScreen } from '../admin/screen.ts';
import type { QueueWords } from './words.ts';

type LanePage = InferResponseType<ApiClient['admin']['queue']['$get'], 200>;
export type Waiting = LanePage['items'][number];
export type LaneName = LanePage['queueName'];
export type Stats = InferResponseType<ApiClient['admin']['queue']['stats']['$get'], 200>;
export type Direction = 'up' | 'down' | 'top';

export type Say = ReturnType<typeof clientTranslator<QueueWords>>;
/** What the parts of the screen share. */
export type QueueScreen = AdminScreen<QueueWords> & {
  /** Reads everything that shows the queue again. */
  refresh: () => Promise<unknown>;
};

/** The sentence for a refused action, in the words of product §8 where it has some. */
export function whyRefused(error: Error, t: Say): string {
  return isRefused('queue.notFound')(error) ? t('notInDatabase') : error.message;
}

/** Somebody else acted on the same product, or the job gave it a slot: what a dialog asks about is no more. */
export const isOutdated = isRefused(
  'queue.notFound',
  'queue.removed',
  'queue.alreadyAssigned',
  'queue.notWaiting',
);

/** One message for a row of moves: the last one counts, and a phone has room for no more. */
export const lastSaid = 'queue';
/** What is said of a refusal after which the list is read again, since somebody else may have changed it. */
export const refusal = (error: Error, t: Say) => ({
  title: whyRefused(error, t),
  id: lastSaid,
  description: t('reread'),
});
