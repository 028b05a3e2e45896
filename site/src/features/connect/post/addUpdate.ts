import type * as z from 'zod/mini';
import type { newUpdate } from '../../../../../api/connect/schema.ts';
import { type ApiClient, unwrap } from '../../../lib/api.ts';
import { underKey } from '../../../lib/key.ts';

/** Action that adds an update; retries use the idempotency key saved on the device. */
export const addUpdate = (api: ApiClient, reference: string) => ({
  call: (json: z.input<typeof newUpdate>) =>
    underKey(`update.${reference}`, (key) =>
      unwrap(
        api.connect.posts[':reference'].updates.$post({
          param: { reference },
          json,
          header: { 'idempotency-key': key },
        }),
        '',
      ),
    ),
});
