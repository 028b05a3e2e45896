import * as z from 'zod/mini';
import { slotField } from '../core/fields.ts';
import { pageQuery } from '../core/paging.ts';
import { assignedDuration } from '../slots/schema.ts';

const queueName = z.enum(['queue:featured', 'queue:regular']);
export const pageSize = 20;

/** A lane's page. */
export const queuePage = pageQuery({ queueName });

/** One step up or down, or to the top. `past` is the neighbour that the admin saw there: past another one nothing is moved. */
export const queueMove = z.strictObject({
  direction: z.enum(['up', 'down', 'top']),
  past: z.optional(z.uuid()),
});
export type QueueMove = z.output<typeof queueMove>;

/** A slot for a waiting product; without a number it is the first inactive one of the product's lane (product R5). */
export const queueAssignment = z.strictObject({
  slotId: z.optional(slotField),
  duration: assignedDuration,
});

export const rebuild = z.strictObject({ queueName });
