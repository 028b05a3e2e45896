import * as z from 'zod/mini';

/** The years that both JavaScript and Postgres write with four digits: year 0 is one to the first and none to the second. */
const known = (text: string): boolean => Number.isFinite(Date.parse(text)) && !text.startsWith('0000');

/** A moment as JSON has it: ISO 8601 in UTC. */
export const moment = z.iso.datetime().check(z.refine(known, 'date'));
/** A day of the calendar: `2026-11-22`. */
export const day = z.iso.date('date').check(z.refine(known, 'date'));
