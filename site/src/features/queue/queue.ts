import type { InferResponseType } from 'hono/client';
import type { clientTranslator } from '../../../../locales/client.ts';
import type { Language } from '../../../../locales/languages.ts';
import { type ApiClient, ApiError } from '../../lib/api.ts';
import type { DeskWords } from '../admin/words.ts';
import { callIt } from '../slots/slots.ts';
import type { QueueWords } from './words.ts';

export type LanePage = InferResponseType<ApiClient['admin']['queue']['$get'], 200>;
export type Waiting = LanePage['items'][number];
export type LaneName = LanePage['queueName'];
export type Stats = InferResponseType<ApiClient['admin']['queue']['stats']['$get'], 200>;
export type Removed = InferResponseType<ApiClient['admin']['queue']['removed']['$get'], 200>['products'][number];
export type Direction = 'up' | 'down' | 'top';

export type Say = ReturnType<typeof clientTranslator<QueueWords>>;
/** What the parts of the queue's desk share. */
export type QueueDesk = {
  language: Language;
  t: Say;
  d: ReturnType<typeof clientTranslator<DeskWords>>;
  api: ApiClient;
  lost: (error: unknown) => boolean;
  /** Reads everything that shows the queue again. */
  refresh: () => Promise<unknown>;
};

export const nameOf = (product: Waiting['product'] | Removed, { language, t }: Pick<QueueDesk, 'language' | 't'>): string =>
  callIt(product, language, t('unnamed'));

/** The sentence for a refused action, in the words of product §8 where it has some. */
export function whyRefused(error: Error, t: Say): string {
  return error instanceof ApiError && error.code === 'queue.notFound' ? t('notInDatabase') : error.message;
}

/** Somebody else acted on the same product, or the job gave it a slot: what a dialog asks about is no more. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof ApiError && ['queue.notFound', 'queue.alreadyAssigned', 'queue.notWaiting'].includes(error.code);
