import Papa from 'papaparse';
import type { StatementLine } from '../../core/ports.ts';
import { Refusal } from '../../shared/errors.ts';

/** Columns of the wallet's statement, deposits and refunds by their letters, the best first. */
const columns = {
  id: ['transactionid', 'refundid', 'depositid'],
  amount: ['depositedamount', 'refundedamount', 'amount', 'requestedamount'],
  currency: ['currency'],
  status: ['status'],
  type: ['type', 'transactiontype'],
  created: ['creationdate', 'created'],
} as const;
type Column = keyof typeof columns;

/** Statuses, and whether money moved; a statement of the wallet has none, and all of it moved. */
const statuses: Readonly<Record<string, boolean>> = {
  completed: true,
  failed: false,
  rejected: false,
  accepted: false,
  enqueued: false,
  submitted: false,
  processing: false,
  inreconciliation: false,
};
const kinds: Readonly<Record<string, StatementLine['kind']>> = {
  deposit: 'payment',
  refund: 'refund',
};
/** Kind of each line in a list without types, by the column of its ids. */
const kindsByName: Readonly<Record<string, StatementLine['kind']>> = {
  depositid: 'payment',
  refundid: 'refund',
};
/** Titles may stand above the names of the columns. */
const rowsAbove = 10;

const letters = (cell: string): string => cell.toLowerCase().replaceAll(/[^a-z]/g, '');

/** `12,500.00`, `12 500,00` or `-500` as a number without its sign; undefined if it is none. */
export function readAmount(cell: string): number | undefined {
  const plain = cell.replaceAll(/[\s'’]/g, '').replace(/^[-−]/, '');
  const [, whole = '', , cents = ''] =
    /^(\d{1,3}(?:([.,])\d{3})*|\d+)(?:[.,](\d{1,2}))?$/.exec(plain) ?? [];
  return whole === '' ? undefined : Number(`${whole.replaceAll(/[.,]/g, '')}.${cents || 0}`);
}

/**
 * Reads a list of pawaPay's dashboard (CSV, as exported or saved by a spreadsheet): the statement of
 * a wallet, the deposits, or the refunds. Lines of another type, such as fees, are left out and
 * counted. Refuses `payments.statementUnreadable`, `payments.statementLine`.
 */
export function readStatement(csv: string): { lines: StatementLine[]; others: number } {
  const { data } = Papa.parse<string[]>(csv, { delimitersToGuess: [',', ';', '\t'] });
  const top = data.slice(0, rowsAbove).findIndex((row) => placesOf(row) !== undefined);
  const at = placesOf(data[top] ?? []);
  if (!at) throw new Refusal('payments.statementUnreadable');
  const lines: StatementLine[] = [];
  let others = 0;
  for (const [index, row] of data.entries()) {
    if (index <= top || row.every((cell) => cell.trim() === '')) continue;
    const cell = (column: Column): string | undefined =>
      at[column].map((place) => row[place]?.trim()).find(Boolean);
    const type = cell('type');
    const kind = type === undefined ? at.kind : kinds[letters(type)];
    if (type !== undefined && kind === undefined) {
      others += 1;
      continue;
    }
    const [id, amount, currency] = [cell('id'), readAmount(cell('amount') ?? ''), cell('currency')];
    const status = cell('status');
    const moved = status === undefined ? at.status.length === 0 : statuses[letters(status)];
    if (!id || amount === undefined || !currency || moved === undefined)
      throw new Refusal('payments.statementLine', { line: index + 1 });
    lines.push({
      ...{ line: index + 1, id: id.toLowerCase().slice(0, 100), kind: kind ?? null },
      ...{ amount, currency: currency.toUpperCase().slice(0, 10), moved },
      day: /^\d{4}-\d{2}-\d{2}/.exec(cell('created') ?? '')?.[0] ?? null,
    });
  }
  return { lines, others };
}

/** Places of the columns in a row of names; undefined if it has not those that are needed. */
function placesOf(row: readonly string[]) {
  const names = row.map(letters);
  const of = (column: Column) =>
    columns[column].map((name) => names.indexOf(name)).filter((place) => place >= 0);
  const [id, amount, currency] = [of('id'), of('amount'), of('currency')];
  const [first] = id;
  if (first === undefined || amount.length === 0 || currency.length === 0) return undefined;
  return {
    ...{ id: [first], amount, currency, kind: kindsByName[names[first] ?? ''] },
    ...{ status: of('status'), type: of('type'), created: of('created') },
  };
}
