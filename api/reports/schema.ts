import * as z from 'zod/mini';
import { cleanText, moment, optional } from '../core/fields.ts';

/** Why somebody reports a listing (product R27); a test holds this list equal to the database's. */
export const reportReasons = [
  'fraud',
  'prohibited',
  'misleading',
  'unavailable',
  'offensive',
  'stolen',
  'other',
] as const;
/** Limits of a report, in characters. */
export const limits = { note: { max: 500 } } as const;

/** A report as it is sent: a reason, and what happened if somebody wants to say. */
export const reportInput = z.strictObject({
  reason: z.enum(reportReasons),
  note: optional(cleanText(limits.note.max)),
});
export type ReportInput = z.output<typeof reportInput>;

/** What was found, in words: kept with the reports that it closes. */
export const removalNote = z.strictObject({ resolution: cleanText(limits.note.max, 1) });
/** The same, with the newest report that the admin has seen. */
export const resolution = z.extend(removalNote, { seen: z.optional(moment) });
