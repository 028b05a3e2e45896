import type { InferResponseType } from 'hono/client';
import type { clientTranslator } from '../../../../locales/client.ts';
import type { Language } from '../../../../locales/languages.ts';
import { type ApiClient, ApiError, isRefused } from '../../lib/api.ts';
import type { AdminScreen } from '../admin/screen.ts';
import type { PendingWords } from './words.ts';

export type PendingPage = InferResponseType<ApiClient['admin']['products']['pending']['$get'], 200>;
export type Pending = PendingPage['products'][number];
export type Change = InferResponseType<
  ApiClient['admin']['products']['edits']['$get'],
  200
>['edits'][number];
export type Say = ReturnType<typeof clientTranslator<PendingWords>>;
export type Spoken = { language: Language; t: Say };
export type ReviewScreen = AdminScreen<PendingWords>;

/** Message of a failed decision, naming the failed step (product §8 Pending list). */
export function whyNot(error: Error, t: Say): string {
  if (!(error instanceof ApiError)) return String(error);
  if (error.code === 'queue.pushFailed') return t('queueFailed', { message: error.message });
  if (error.code === 'products.notFound') return t('fetchFailed', { message: error.message });
  return error.message;
}

/** Another admin has decided, or the seller sent a newer version: reload the list. */
export const isOutdated = isRefused(
  'products.notPending',
  'products.notFound',
  'products.changed',
  'products.changeGone',
);
