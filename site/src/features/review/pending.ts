import type { InferResponseType } from 'hono/client';
import type { clientTranslator } from '../../../../locales/client.ts';
import type { Language } from '../../../../locales/languages.ts';
import { type ApiClient, ApiError } from '../../lib/api.ts';
import type { PendingWords } from './words.ts';

export type PendingPage = InferResponseType<ApiClient['admin']['products']['pending']['$get'], 200>;
export type Pending = PendingPage['products'][number];
export type Change = InferResponseType<ApiClient['admin']['products']['edits']['$get'], 200>['edits'][number];
export type Say = ReturnType<typeof clientTranslator<PendingWords>>;
export type Spoken = { language: Language; t: Say };

/** A product's text in one language alone; a plain string counts for both. */
export function textFor(text: Pending['name'], language: Language): string {
  return (typeof text === 'string' ? text : text?.[language])?.trim() ?? '';
}

/** What an admin calls a product: its name in their language, or in the other one. */
export function callIt(product: Pick<Pending, 'name'>, { language, t }: Spoken): string {
  return textFor(product.name, language) || textFor(product.name, language === 'en' ? 'fr' : 'en') || t('unnamed');
}

/** Why a decision failed, said with the step at which it failed (product §8 Pending list): the product could not be read, or not be queued. */
export function whyNot(error: Error, t: Say): string {
  if (!(error instanceof ApiError)) return String(error);
  if (error.code === 'queue.pushFailed') return t('queueFailed', { message: error.message });
  if (error.code === 'products.notFound') return t('fetchFailed', { message: error.message });
  return error.message;
}

/** Somebody else decided meanwhile, or the seller sent something newer: the list must be read again. */
export const isOutdated = (code: string): boolean => code === 'products.notPending' || code === 'products.notFound' || code === 'products.changed';
