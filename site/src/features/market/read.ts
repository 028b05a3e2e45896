import type { InferResponseType } from 'hono/client';
import { type ApiClient, ApiError, unwrap } from '../../lib/api.ts';
import type { Slot } from './slots.ts';

export type Market =
  /** `plain`: read in the plainer way, without what only the whole read knows (decision 036). */
  | { slots: Slot[]; plain: boolean; error?: undefined }
  | { slots: null; error?: string | undefined };

/** The 54 stalls, or the server's sentence about why they cannot be read now. */
export async function readMarket(api: ApiClient): Promise<Market> {
  try {
    const { slots, plain } = await unwrap(api.slots.$get(), '');
    return { slots, plain };
  } catch (error) {
    // A bug has no sentence of its own: the specified default says it shorter.
    return {
      slots: null,
      error:
        error instanceof ApiError && error.code !== 'unexpected'
          ? error.message || undefined
          : undefined,
    };
  }
}

export type MarketInfo = InferResponseType<ApiClient['market']['$get'], 200>;

/** The operator's contact and measured figures; undefined when they cannot be read: the page does without them, and is not kept. */
export const readMarketInfo = (api: ApiClient): Promise<MarketInfo | undefined> =>
  unwrap(api.market.$get(), '').catch(() => undefined);
