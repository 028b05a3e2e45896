import * as z from 'zod/mini';
import { cleanLine } from '../core/fields.ts';

/** A statement is read from the newest entry on, or from the one that another page ended with. */
export const statementPage = z.strictObject({
  before: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(2 ** 31 - 1))),
});

/** The number by which the ledger knows a member. */
export const memberNumber = z.strictObject({
  number: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER)),
});

/** Why an admin does something to a member's credits. */
const reason = cleanLine(300, 3);

/** An entry of its own that puts right what went wrong: so many credits more or fewer. */
export const correction = z.strictObject({
  userId: z.string().check(z.minLength(1), z.maxLength(100)),
  amount: z.int().check(
    z.minimum(-100_000),
    z.maximum(100_000),
    z.refine((amount) => amount !== 0, 'invalid'),
  ),
  reason,
  /** How many entries the ledger had that was shown: a correction of another one is decided anew. */
  seen: z.optional(z.int().check(z.minimum(0))),
});

/** Somebody whom an admin looks for. */
export const memberSearch = z.strictObject({ search: cleanLine(200, 2) });

/** A write that money hangs on is repeated only with its key (product R34). */
export const keyed = z.object({
  'idempotency-key': z.string().check(z.minLength(8), z.maxLength(100)),
});

/**
 * Columns of a statement's CSV. A program reads them again, so the names are the same in every language; `reason`, the only
 * free text, is not signed and comes last.
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
