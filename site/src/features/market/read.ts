import type { InferResponseType } from 'hono/client';
import type { ApiClient } from '../../lib/api.ts';
import type { Slot } from './slots.ts';

export type Market =
  /** `plain`: read in the plainer way, without what only the whole read knows (decision 036). */
  { slots: Slot[]; plain: boolean; error?: undefined } | { slots: null; error?: string | undefined };

/** The 54 stalls, or the server's sentence about why they cannot be read now. */
export async function readMarket(api: ApiClient): Promise<Market> {
  try {
    const response = await api.slots.$get();
    if (response.ok) {
      const { slots, plain } = await response.json();
      return { slots, plain };
    }
    const { error } = (await response.json()) as unknown as { error?: { code?: string; message?: string } };
    // A bug has no sentence of its own: the specified default says it shorter.
    return { slots: null, error: error?.code === 'unexpected' ? undefined : error?.message };
  } catch {
    return { slots: null };
  }
}

export type MarketInfo = InferResponseType<ApiClient['market']['$get'], 200>;

/** The operator's contact and measured figures; without an answer the page does without them. */
export async function readMarketInfo(api: ApiClient): Promise<MarketInfo> {
  try {
    const response = await api.market.$get();
    if (response.ok) return await response.json();
  } catch {
    // The stalls matter more than what the operator says about them.
  }
  return { contactNumber: null, measured: null };
}
