import type { Column, Result } from './session.ts';

/** int8, int2, int4, oid, float4, float8, money, numeric: aligned right. */
const numbers = new Set([20, 21, 23, 26, 700, 701, 790, 1700]);

/** One line without characters that a terminal obeys: product names come from strangers. */
export function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\u2028\u2029]/gu, (char) => {
    if (char === '\n') return '\\n';
    if (char === '\t') return '\\t';
    const code = char.codePointAt(0) ?? 0;
    return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}

const shown = (value: string | null): string => (value === null ? 'NULL' : harmless(value));
const width = (text: string): number => Bun.stringWidth(text);
const padded = (text: string, to: number, right: boolean): string => {
  const space = ' '.repeat(Math.max(0, to - width(text)));
  return right ? space + text : text + space;
};

export function table(columns: readonly Column[], rows: readonly (string | null)[][]): string {
  const names = columns.map(({ name }) => harmless(name));
  const cells = rows.map((row) => row.map(shown));
  const widths = names.map((name, n) =>
    cells.reduce((most, row) => Math.max(most, width(row[n] ?? '')), width(name)),
  );
  const line = (row: readonly string[], right: (n: number) => boolean) =>
    ` ${row.map((cell, n) => padded(cell, widths[n] ?? 0, right(n))).join(' | ')}`.trimEnd();
  return [
    line(names, () => false),
    widths.map((each) => '-'.repeat(each + 2)).join('+'),
    ...cells.map((row) => line(row, (n) => numbers.has(columns[n]?.type ?? 0))),
  ].join('\n');
}

function blocks(columns: readonly Column[], rows: readonly (string | null)[][]): string {
  const names = columns.map(({ name }) => harmless(name));
  const widest = Math.max(0, ...names.map(width));
  return rows
    .flatMap((row, n) => [
      `-[ ${n + 1} ]${'-'.repeat(widest)}`,
      ...row.map((value, m) => `${padded(names[m] ?? '', widest, false)} | ${shown(value)}`),
    ])
    .join('\n');
}

/** Output options. `room` is the terminal's width: wider tables are printed as blocks. */
export type Look = { expanded: boolean; timing: boolean; room?: number };

export function present(
  { columns, rows, count, tag, milliseconds }: Result,
  { expanded, timing, room }: Look,
): string {
  const time = timing ? ` ${milliseconds.toFixed(1)} ms` : '';
  if (columns.length === 0) return `${tag}${count === undefined ? '' : ` ${count}`}${time}\n`;
  const left = (count ?? rows.length) - rows.length;
  const flat = expanded ? '' : table(columns, rows);
  const wide =
    expanded ||
    (room !== undefined &&
      rows.length > 0 &&
      flat.split('\n', 2).some((line) => width(line) > room));
  const size = `(${count ?? rows.length} ${count === 1 ? 'row' : 'rows'})${time}`;
  const more =
    left > 0
      ? `\n… and ${left} more. Ask for less with limit, or write to a file: bun run sql -c "…" > rows.txt`
      : '';
  return `${wide ? blocks(columns, rows) : flat}${more}\n${size}\n`;
}

type ServerError = Error & {
  code?: string;
  severity?: string;
  detail?: string;
  hint?: string;
  where?: string;
  position?: string;
};

export function presentError(error: unknown, sql: string): string {
  const { message, code, severity, detail, hint, where, position } = error as ServerError;
  const lines = [
    `${severity ?? 'ERROR'}: ${harmless(message)}${code ? ` (${code})` : ''}`,
    ...pointer(sql, Number(position)),
  ];
  for (const [name, text] of Object.entries({ DETAIL: detail, HINT: hint, CONTEXT: where }))
    if (text) lines.push(`${name}: ${harmless(text)}`);
  return `${lines.join('\n')}\n`;
}

/** Postgres counts `position` in characters from 1. */
function pointer(sql: string, position: number): string[] {
  if (!(position > 0)) return [];
  const before = [...sql].slice(0, position - 1).join('');
  const number = before.split('\n').length;
  const label = `LINE ${number}: `;
  const line = sql.split('\n')[number - 1] ?? '';
  const lead = before.slice(before.lastIndexOf('\n') + 1);
  return [label + harmless(line), `${' '.repeat(width(label + harmless(lead)))}^`];
}
