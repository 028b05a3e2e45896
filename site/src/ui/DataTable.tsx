// biome-ignore-all lint/a11y/noRedundantRoles: on a phone `display: block` takes the roles of a table away in some browsers
import type { Key, ReactNode } from 'react';
import './table.css';

export type Column<Row> = {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /**
   * `main` names the row and heads its card on a phone; `number` is right-aligned in tabular
   * figures; `actions` holds buttons.
   */
  kind?: 'main' | 'number' | 'actions';
};

const classes = { main: 'table__main', number: 'table__end', actions: 'table__actions' } as const;

/** A table that becomes a list of cards on a phone. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  wide,
  empty,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => Key;
  /** Puts the actions below the row: its columns do not fit a laptop. */
  wide?: boolean;
  empty?: ReactNode;
}) {
  if (rows.length === 0 && empty) return <>{empty}</>;
  return (
    <table className={wide ? 'table table--wide' : 'table'} role="table">
      <caption className="unseen">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th
              key={column.key}
              scope="col"
              role="columnheader"
              className={column.kind && classes[column.kind]}
            >
              {column.kind === 'actions' ? (
                <span className="unseen">{column.header}</span>
              ) : (
                column.header
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={rowKey(row)} role="row">
            {columns.map((column) => (
              <td
                key={column.key}
                role="cell"
                data-label={column.header}
                className={column.kind && classes[column.kind]}
              >
                <div>{column.cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
