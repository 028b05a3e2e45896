import type { InferResponseType } from 'hono/client';
import { type ApiClient, ApiError, unwrap } from '../../lib/api.ts';
import type { Slot } from './slots.ts';

export type Market =
  /** `plain`: from the fallback read, which lacks some fields (decision 024). */
  | { slots: Slot[]; plain: boolean; error?: undefined }
  | { slots: null; error?: string | undefined };

/** Reads the stalls, or the error message to show. */
export async function readMarket(api: ApiClient): Promise<Market> {
  try {
    const { slots, plain } = await unwrap(api.slots.$get(), '');
    return { slots, plain };
  } catch (error) {
    // Unexpected errors have no message of their own; the page has a shorter default.
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

/** Operator contact and measured figures. On undefined the page omits them and is not cached. */
export const readMarketInfo = (api: ApiClient): Promise<MarketInfo | undefined> =>
  unwrap(api.market.$get(), '').catch(() => undefined);
