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

/** The value that this part (0-1) of all values does not exceed; NaN of none. */
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

/** Lays rows out in columns; those that `right` names stand at their right edge. */
export function columns(
  rows: readonly (readonly string[])[],
  right: (column: number) => boolean = (column) => column > 0,
): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, n) => (right(n) ? cell.padStart(widths[n] ?? 0) : cell.padEnd(widths[n] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export const table = (results: readonly Result[]): string =>
  columns(
    [
      ['name', 'value', 'unit', 'reference', 'ratio', 'want', 'met', 'note'],
      ...results.map(({ name, value, unit, reference, ratio, want = '', met, note = '' }) => [
        name,
        figure(value),
        value === null ? '' : unit,
        figure(reference),
        ratio?.toFixed(2) ?? '',
        want,
        met === undefined ? '' : value === null ? '–' : met ? 'yes' : 'NO',
        note,
      ]),
    ],
    (column) => [1, 3, 4].includes(column),
  );

/** Prints the result of each check, and counts those that failed. */
export function openChecks() {
  const checks = {
    wrong: 0,
    check(name: string, right: boolean, found = ''): void {
      console.log(`${right ? '✓' : '✗'} ${name}${found === '' ? '' : `: ${found}`}`);
      if (!right) checks.wrong++;
    },
  };
  return checks;
}
