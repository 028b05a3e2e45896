import * as z from 'zod/mini';
import { cleanLine } from '../shared/fields.ts';

/** `before` is the serial of the previous page's last entry. */
export const statementPage = z.strictObject({
  before: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(2 ** 31 - 1))),
});

export const memberNumber = z.strictObject({
  number: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER)),
});

const reason = cleanLine(300, 3);

export const correction = z.strictObject({
  userId: z.string().check(z.minLength(1), z.maxLength(100)),
  amount: z.int().check(
    z.minimum(-100_000),
    z.maximum(100_000),
    z.refine((amount) => amount !== 0, 'invalid'),
  ),
  reason,
  /** Entries the admin was shown; the correction is refused if there are more by now. */
  seen: z.optional(z.int().check(z.minimum(0))),
});

export const memberSearch = z.strictObject({ search: cleanLine(200, 2) });

/** Requires an idempotency key for writes that cost money (product R34). */
export const keyed = z.object({
  'idempotency-key': z.string().check(z.minLength(8), z.maxLength(100)),
});

/**
 * CSV columns, untranslated because a program reads them back. `reason` is the only free text:
 * unsigned, and last.
 */
export const statementColumns = [
  ...([
    'id',
    'member',
    'serial',
    'kind',
    'amount',
    'balance',
    'referenceType',
    'referenceId',
  ] as const),
  ...(['undoes', 'purchaseId', 'at', 'previous', 'hash', 'reason'] as const),
] as const;
