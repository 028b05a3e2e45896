import * as z from 'zod/mini';
import { clean, longest, cleanLine as oneLine } from './clean.ts';
import { slotCount } from './slots.ts';

const pattern = /^(?:\+?237)?[6-9]\d{8}$/;
/** Longer than any number, however its digits are spaced. */
const longestNumber = 60;

/** Tests a text for a Cameroon number by the rule of product §5: optional +237 or 237, nine digits from 6-9, spaces ignored. */
export function isPhone(text: string): boolean {
  return pattern.test(text.replaceAll(/\s/g, ''));
}

/** Writes a number that passes the rule as E.164 (product R23). */
export function toE164(text: string): string {
  return `+237${text.replaceAll(/\s/g, '').slice(-9)}`;
}

/** Refuses a text longer than `max` characters; no check or transform behind it runs (decision 060). */
export const atMost = (max: number, error?: string) =>
  z.maxLength(max, { abort: true, ...(error ? { error } : {}) });

/**
 * A text before it is cleaned or judged. One that is far too long is refused here, with the sentence of its limit `max`, so that
 * what reads it (a transform, a pattern) never meets it.
 */
export const given = (max: number = longest) =>
  z.string().check(
    z.check(({ value, issues }) => {
      if (value.length > longest)
        issues.push({
          code: 'too_big',
          origin: 'string',
          maximum: max,
          inclusive: true,
          input: value,
          continue: false,
        });
    }),
  );

/** A phone number, kept as E.164. */
export const phone = z.pipe(
  z.string().check(
    atMost(longestNumber, 'phone'),
    z.refine((text) => text.trim() !== '', { error: 'required', abort: true }),
    z.refine((text) => text.trim() === '' || isPhone(text), 'phone'),
  ),
  z.transform(toE164),
);

/** A number of any country (product R23): with `+` or `00` as that country writes it, without as a Cameroon one. Kept as E.164. */
export const worldPhone = z.pipe(
  z.pipe(
    z.string().check(atMost(longestNumber, 'worldPhone')),
    z.transform((text) => {
      const bare = text.replaceAll(/[\s.\-()/]/g, '').replace(/^00/, '+');
      return isPhone(bare) ? toE164(bare) : bare;
    }),
  ),
  z.string().check(
    atMost(longestNumber, 'worldPhone'),
    z.refine(
      (text) => /^\+[1-9]\d{6,14}$/.test(text) && (!text.startsWith('+237') || isPhone(text)),
      'worldPhone',
    ),
  ),
);

const cleanedBy = (cleaning: (text: string) => string, max: number, min: number) =>
  z.pipe(
    z.pipe(given(max), z.transform(cleaning)),
    min > 0
      ? z.string().check(atMost(max), z.minLength(1, 'required'), z.minLength(min))
      : z.string().check(atMost(max)),
  );

/** A text that is trimmed and cleaned (product §5) before its limits are judged. */
export const cleanText = (max: number, min = 0) => cleanedBy(clean, max, min);
/** The same on one line: a name, a place, the subject of a mail, where a line break would be another header. */
export const cleanLine = (max: number, min = 0) => cleanedBy(oneLine, max, min);

/** An optional text of a form: left empty it is nothing; filled, the rule holds. */
export const optional = <S extends z.ZodMiniType<string, string>>(rule: S) =>
  z.optional(
    z.pipe(
      z.transform((value: unknown) =>
        value === null ||
        (typeof value === 'string' && value.length <= longest && value.trim() === '')
          ? undefined
          : value,
      ),
      z.optional(rule),
    ),
  );

/** The number of a slot. */
export const slotField = z.int().check(z.minimum(1), z.maximum(slotCount));

/** The years that both JavaScript and Postgres write with four digits: year 0 is one to the first and none to the second. */
const known = (text: string): boolean =>
  Number.isFinite(Date.parse(text)) && !text.startsWith('0000');

/** A moment as JSON has it: ISO 8601 in UTC. */
export const moment = z.iso.datetime({ abort: true }).check(z.refine(known, 'date'));
/** The key of a client that may repeat its request when no answer came (product R34). */
export const repeatable = z.object({
  'idempotency-key': z.optional(z.string().check(z.minLength(8), z.maxLength(100))),
});
/** A day of the calendar: `2026-11-22`. */
export const day = z.iso.date({ error: 'date', abort: true }).check(z.refine(known, 'date'));
