import type { InferResponseType } from 'hono/client';
import { type ApiClient, found } from '../../lib/api.ts';

type Answer = InferResponseType<ApiClient['shops'][':slug']['$get'], 200>;
export type Shop = Exclude<Answer, { movedTo: string }>;

/** Undefined if there is no such shop. Throws when the API fails. */
export const findShopPage = ({ api }: App.Locals, slug: string): Promise<Answer | undefined> =>
  found(api.shops[':slug'].$get({ param: { slug: encodeURIComponent(slug) } }));
