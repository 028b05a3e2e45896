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
export type QueueScreen = AdminScreen<QueueWords> & {
  /** Reloads all queries that show the queue. */
  refresh: () => Promise<unknown>;
};

/** Message of a refusal, in the words of product §8 if it has any. */
export function whyRefused(error: Error, t: Say): string {
  return isRefused('queue.notFound')(error) ? t('notInDatabase') : error.message;
}

/** The dialog's product has changed: by another admin, or the job gave it a slot. */
export const isOutdated = isRefused(
  'queue.notFound',
  'queue.removed',
  'queue.alreadyAssigned',
  'queue.notWaiting',
);

/** Toast id: a series of moves shows one toast, since a phone has no room for more. */
export const lastSaid = 'queue';
/** Toast for a refusal after which the list is reloaded. */
export const refusal = (error: Error, t: Say) => ({
  title: whyRefused(error, t),
  id: lastSaid,
  description: t('reread'),
});
