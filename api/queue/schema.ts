import * as z from 'zod/mini';
import { queueNames } from '../../db/vocabularies.ts';
import { slotField } from '../shared/fields.ts';
import { pageQuery } from '../shared/paging.ts';
import { assignedDuration } from '../slots/schema.ts';

const queueName = z.enum(queueNames);
export const pageSize = 20;

export const queuePage = pageQuery({ queueName });

/** `past`: the neighbour the admin saw; with another one there, nothing moves. */
export const queueMove = z.strictObject({
  direction: z.enum(['up', 'down', 'top']),
  past: z.optional(z.uuid()),
});
export type QueueMove = z.output<typeof queueMove>;

/** Without `slotId`, the first inactive slot of the lane (product R5). */
export const queueAssignment = z.strictObject({
  slotId: z.optional(slotField),
  duration: assignedDuration,
});

export const rebuild = z.strictObject({ queueName });
