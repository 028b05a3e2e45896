import * as z from 'zod/mini';
import { assignedDuration } from '../slots/schema.ts';

export const queueName = z.enum(['queue:featured', 'queue:regular']);
export const pageSize = 20;

/** A lane's page. */
export const queuePage = z.strictObject({ queueName, page: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1_000_000)), 1) });

/** One step up or down, or to the top. `past` is the neighbour that the admin saw there: past another one nothing is moved. */
export const queueMove = z.strictObject({ direction: z.enum(['up', 'down', 'top']), past: z.optional(z.uuid()) });
export type QueueMove = z.output<typeof queueMove>;

/** A slot for a waiting product; without a number it is the first inactive one of the product's lane (product R5). */
export const queueAssignment = z.strictObject({
  slotId: z.optional(z.int().check(z.minimum(1), z.maximum(54))),
  duration: assignedDuration,
});

export const rebuildWish = z.strictObject({ queueName });
