import * as z from 'zod/mini';
import { productReference } from '../products/schema.ts';

/** What a browser may record (marketplace §7, decision 9); a messageTap is recorded by the contact call alone. */
export const recordable = ['view', 'click', 'share'] as const;
export const engagementEvent = z.strictObject({ slotId: z.int().check(z.minimum(1), z.maximum(54)), productId: productReference, type: z.enum(recordable) });
export type EngagementEvent = z.output<typeof engagementEvent>;
