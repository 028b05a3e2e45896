import type { InferResponseType } from 'hono/client';
import { type ApiClient, found } from '../../../lib/api.ts';

export type FoundPost = InferResponseType<ApiClient['connect']['posts'][':reference']['$get'], 200>;
/** A post whose words the reader may see. */
export type OpenPost = Extract<FoundPost, { closed: false }>;

/** A post by its reference; undefined where there is none, or none any more. */
export const findPost = ({ api }: App.Locals, reference: string): Promise<FoundPost | undefined> =>
  found(api.connect.posts[':reference'].$get({ param: { reference } }));
