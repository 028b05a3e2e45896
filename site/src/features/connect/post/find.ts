import type { InferResponseType } from 'hono/client';
import { type ApiClient, found } from '../../../lib/api.ts';

export type FoundPost = InferResponseType<ApiClient['connect']['posts'][':reference']['$get'], 200>;
/** Post whose text the reader may see. */
export type OpenPost = Extract<FoundPost, { closed: false }>;

/** Finds a post by its reference; undefined when missing or gone. */
export const findPost = ({ api }: App.Locals, reference: string): Promise<FoundPost | undefined> =>
  found(api.connect.posts[':reference'].$get({ param: { reference } }));
