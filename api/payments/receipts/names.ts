import { receiptSeries } from '../../../db/vocabularies.ts';

type Series = (typeof receiptSeries)[number];
const prefixes: Record<Series, string> = {
  receipt: 'R',
  creditNote: 'A',
  testReceipt: 'TR',
  testCreditNote: 'TA',
};

/** Name on the paper, such as `R-000012`. */
export const nameOf = ({ series, number }: { series: Series; number: number }): string =>
  `${prefixes[series]}-${String(number).padStart(6, '0')}`;

/** Series and number of a name; undefined if it is none. */
export function readName(name: string): { series: Series; number: number } | undefined {
  const [, prefix, digits] = /^(T?[RA])-(\d{6,9})$/.exec(name) ?? [];
  const series = receiptSeries.find((known) => prefixes[known] === prefix);
  return series && { series, number: Number(digits) };
}
