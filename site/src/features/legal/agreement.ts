import type { InferResponseType } from 'hono/client';
import { type ApiClient, unwrap } from '../../lib/api.ts';

type Agreement = InferResponseType<ApiClient['legal']['agreement']['$get'], 200>;

/** The terms that hold and whether the viewer is asked; undefined while the database is away. */
export const readAgreement = (api: ApiClient): Promise<Agreement | undefined> =>
  unwrap(api.legal.agreement.$get(), '').catch(() => undefined);
