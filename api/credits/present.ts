import { writeCsv } from '../core/csv.ts';
import type { Entry } from './chain.ts';

/** In this order, under these names in every language, since a program reads them again; the only words, which are not signed, come last. */
export const statementColumns = [
  ...(['id', 'member', 'serial', 'kind', 'amount', 'balance', 'referenceType', 'referenceId'] as const),
  ...(['undoes', 'purchaseId', 'at', 'previous', 'hash', 'reason'] as const),
] as const;

/** A member's entries as CSV. Each line carries its hash and the one before it: what proves later that it stood so. */
export function statementCsv(entries: readonly Entry[]): string {
  return writeCsv([
    statementColumns,
    ...entries.map((entry) =>
      statementColumns.map((column) => {
        const cell = entry[column];
        return cell instanceof Date ? cell.toISOString() : cell;
      }),
    ),
  ]);
}
