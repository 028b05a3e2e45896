import type { Language } from '../../locales/languages.ts';
import { writeCsv } from '../shared/csv.ts';
import type { Entry } from './chain.ts';
import { statementColumns } from './schema.ts';

/** CSV of a member's entries, with the hashes that {@link checkStatement} verifies later. */
export function statementCsv(entries: readonly Entry[], language: Language): string {
  const rows = [
    statementColumns,
    ...entries.map((entry) =>
      statementColumns.map((column) => {
        const cell = entry[column];
        return cell instanceof Date ? cell.toISOString() : cell;
      }),
    ),
  ];
  return writeCsv(rows, language);
}
