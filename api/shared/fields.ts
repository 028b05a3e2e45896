import * as z from 'zod/mini';
import { clean, isBlank, longest, cleanLine as oneLine } from './clean.ts';
import { readPhone } from './contact/readPhone.ts';
import { slotCount } from './slots.ts';

/** Longest pasted number: links carry a greeting. */
export const longestNumber = 300;

/** Mobile number of Cameroon in E.164 (product §5): nine digits that start with 6 to 9. */
export const isPhone = (number: string): boolean => /^\+237[6-9]\d{8}$/.test(number);
const isFixedLine = (number: string): boolean => /^\+2372(?:22|33|42|43)\d{6}$/.test(number);

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

/** A typed or pasted number as E.164; `error` names its sentence. */
const numberField = (error: 'phone' | 'worldPhone', isAllowed: (number: string) => boolean) =>
  z.pipe(
    z.pipe(
      z.string().check(
        atMost(longestNumber, error),
        z.refine((text) => !isBlank(text), { error: 'required', abort: true }),
      ),
      z.transform((text) => readPhone(text) ?? ''),
    ),
    z.string().check(
      atMost(longestNumber, error),
      z.refine((number) => !isFixedLine(number), { error: `${error}Fixed`, abort: true }),
      z.refine(isAllowed, error),
    ),
  );

/** A Cameroon number (product R23). */
export const phone = numberField('phone', isPhone);
/** A number of any country (product R23): with `+` or `00`, or a Cameroon one without. */
export const worldPhone = numberField(
  'worldPhone',
  (number) => number !== '' && (!number.startsWith('+237') || isPhone(number)),
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
        value === null || (typeof value === 'string' && value.length <= longest && isBlank(value))
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
