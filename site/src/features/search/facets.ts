import type { InferResponseType } from 'hono/client';
import type { ApiClient } from '../../lib/api.ts';

type Answer = InferResponseType<ApiClient['market']['search']['$get'], 200>;
export type SearchFacets = Answer['facets'];
export type PastResult = Extract<Answer['results'][number], { past: unknown }>;
