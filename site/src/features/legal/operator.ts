import type { InferResponseType } from 'hono/client';
import { type ApiClient, unwrap } from '../../lib/api.ts';

type Operator = InferResponseType<ApiClient['legal']['operator']['$get'], 200>;

/** The operator's details. On undefined a page leaves them out and is not cached. */
export const readOperator = (api: ApiClient): Promise<Operator | undefined> =>
  unwrap(api.legal.operator.$get(), '').catch(() => undefined);
