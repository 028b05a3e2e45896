import type { InferResponseType } from 'hono/client';
import { type ApiClient, unwrap } from '../../lib/api.ts';

type Operator = InferResponseType<ApiClient['legal']['operator']['$get'], 200>;

/** Who runs the market. On undefined a page leaves it out and is not cached. */
export const readOperator = (api: ApiClient): Promise<Operator | undefined> =>
  unwrap(api.legal.operator.$get(), '').catch(() => undefined);
