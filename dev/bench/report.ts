/** A row of the table. `value` is null when not measured; `note` then says why. */
export type Result = {
  name: string;
  value: number | null;
  unit: string;
  reference?: number;
  ratio?: number;
  want?: string;
  met?: boolean;
  note?: string;
};

export type Target = { want: string; met: boolean };

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** The value that this part (0-1) of all values does not exceed. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return (
    sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * part) - 1))] ??
    Number.NaN
  );
}

/** A measurement against its plainest equivalent, as a ratio of the medians of alternating runs. */
export function compared(
  name: string,
  unit: string,
  own: readonly number[],
  bare: readonly number[],
  target?: (ratio: number, value: number) => Target,
  note?: string,
): Result {
  const value = median(own);
  const reference = median(bare);
  const ratio = value / reference;
  return {
    name,
    value,
    unit,
    reference,
    ratio,
    ...target?.(ratio, value),
    ...(note ? { note } : {}),
  };
}

export const atMost = (limit: number, unit: string, value: number): Target => ({
  want: `≤ ${limit} ${unit}`.trim(),
  met: value <= limit,
});
export const ratioAtMost =
  (limit: number) =>
  (ratio: number): Target => ({ want: `ratio ≤ ${limit}`, met: ratio <= limit });
export const ratioAtLeast =
  (limit: number) =>
  (ratio: number): Target => ({ want: `ratio ≥ ${limit}`, met: ratio >= limit });

/** A target that could not be measured counts as missed. */
export const notMeasured = (name: string, unit: string, note: string, want?: string): Result => ({
  name,
  value: null,
  unit,
  ...(want ? { want, met: false } : {}),
  note,
});

const figure = (value: number | null | undefined): string => {
  if (value === null) return 'not measured';
  if (value === undefined) return '';
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
};

export function table(results: readonly Result[]): string {
  const rows = results.map((result) => [
    result.name,
    figure(result.value),
    result.value === null ? '' : result.unit,
    figure(result.reference),
    result.ratio === undefined ? '' : result.ratio.toFixed(2),
    result.want ?? '',
    result.met === undefined ? '' : result.value === null ? '–' : result.met ? 'yes' : 'NO',
    result.note ?? '',
  ]);
  const head = ['name', 'value', 'unit', 'reference', 'ratio', 'want', 'met', 'note'];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const right = new Set([1, 3, 4]);
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        right.has(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
