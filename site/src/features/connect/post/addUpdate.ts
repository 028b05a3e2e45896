import type * as z from 'zod/mini';
import type { newUpdate } from '../../../../../api/connect/schema.ts';
import { type ApiClient, unwrap } from '../../../lib/api.ts';
import { underKey } from '../../../lib/key.ts';

/** The action that adds an update to a post; every try goes out under the key that the device keeps for it. */
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
