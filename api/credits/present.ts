import { writeCsv } from '../core/csv.ts';
import type { Entry } from './chain.ts';
import { statementColumns } from './schema.ts';

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
