import type { InferResponseType } from 'hono/client';
import type { ApiClient } from '../../lib/api.ts';

/** A seller's product as the dashboard shows it. */
export type OwnProduct = InferResponseType<
  ApiClient['products']['mine']['$get'],
  200
>['products'][number];
