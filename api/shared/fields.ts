import * as z from 'zod/mini';
import { clean, longest, cleanLine as oneLine } from './clean.ts';
import { slotCount } from './slots.ts';

const pattern = /^(?:\+?237)?[6-9]\d{8}$/;
const longestNumber = 60;

/** A Cameroon number (product §5): optional +237 or 237, nine digits from 6-9, spaces ignored. */
export function isPhone(text: string): boolean {
  return pattern.test(text.replaceAll(/\s/g, ''));
}

/** Turns a valid Cameroon number into E.164 (product R23). */
export function toE164(text: string): string {
  return `+237${text.replaceAll(/\s/g, '').slice(-9)}`;
}

/** Aborts, so that no later transform or pattern reads a long text (decision 060). */
export const atMost = (max: number, error?: string) =>
  z.maxLength(max, { abort: true, ...(error ? { error } : {}) });

/**
 * A raw text. A far too long one is refused with the sentence of `max`, before anything reads it.
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

/** A Cameroon number as E.164. */
export const phone = z.pipe(
  z.string().check(
    atMost(longestNumber, 'phone'),
    z.refine((text) => text.trim() !== '', { error: 'required', abort: true }),
    z.refine((text) => text.trim() === '' || isPhone(text), 'phone'),
  ),
  z.transform(toE164),
);

/** A number of any country as E.164 (product R23): with `+` or `00`, or a Cameroon one without. */
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

/** Trims and cleans (product §5) before the limits apply. */
export const cleanText = (max: number, min = 0) => cleanedBy(clean, max, min);
/** One line, since a line break in a mail's subject starts a header. */
export const cleanLine = (max: number, min = 0) => cleanedBy(oneLine, max, min);

/** An empty form field becomes undefined. */
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

export const slotField = z.int().check(z.minimum(1), z.maximum(slotCount));

/** Year 0 is valid in JavaScript but not in Postgres. */
const known = (text: string): boolean =>
  Number.isFinite(Date.parse(text)) && !text.startsWith('0000');

/** ISO 8601 in UTC. */
export const moment = z.iso.datetime({ abort: true }).check(z.refine(known, 'date'));
/** For requests that clients may repeat when no answer came (product R34). */
export const repeatable = z.object({
  'idempotency-key': z.optional(z.string().check(z.minLength(8), z.maxLength(100))),
});
export const day = z.iso.date({ error: 'date', abort: true }).check(z.refine(known, 'date'));
