import * as z from 'zod/mini';
import { reportReasons } from '../../db/vocabularies.ts';
import { cleanText, moment, optional } from '../shared/fields.ts';

/** In characters. */
export const limits = { note: { max: 500 } } as const;

export const reportInput = z.strictObject({
  reason: z.enum(reportReasons),
  note: optional(cleanText(limits.note.max)),
});
export type ReportInput = z.output<typeof reportInput>;

/** Stored with the reports that it closes. */
export const removalNote = z.strictObject({ resolution: cleanText(limits.note.max, 1) });
/** `seen` is the time of the newest report that the admin saw. */
export const resolution = z.extend(removalNote, { seen: z.optional(moment) });
