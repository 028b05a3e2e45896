import type { InferResponseType } from 'hono/client';
import { type ApiClient, ApiError, unwrap } from '../../../lib/api.ts';

export type FoundPost = InferResponseType<ApiClient['connect']['posts'][':reference']['$get'], 200>;
/** A post whose words the reader may see. */
export type OpenPost = Extract<FoundPost, { closed: false }>;

/** A post by its reference; nothing where there is none, or none any more. */
export async function findPost({ api }: App.Locals, reference: string): Promise<FoundPost | undefined> {
  try {
    return await unwrap(api.connect.posts[':reference'].$get({ param: { reference } }), '');
  } catch (error) {
    // A reference that could never have been one is not found either.
    if (error instanceof ApiError && [400, 404].includes(error.status)) return undefined;
    throw error;
  }
}
