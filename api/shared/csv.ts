import type { Language } from '../../locales/languages.ts';

export type Cell = string | number | null;

/** Formula signs, full-width ones included. */
const formula = /[=+\-@|\uff1d\uff0b\uff0d\uff20]/;
/** Cell starts within a text: French spreadsheets split at `;`, others at tabs or line breaks. */
const separator = /[;\t\r\n]/;

/**
 * Puts an apostrophe before signs that may start a formula (decision 060): at the start and behind
 * separators, skipping spaces and quotes. Also before a leading tab or line break.
 */
function harmless(text: string): string {
  let safe = /^[\t\r]/.test(text) ? "'" : '';
  let begins = true;
  for (const char of text) {
    safe += begins && formula.test(char) ? `'${char}` : char;
    begins = separator.test(char) || (begins && /[\s"]/.test(char));
  }
  return safe;
}

function field(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = harmless(cell);
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Writes CSV (RFC 4180) without formulas; the byte order mark makes spreadsheets read accents.
 * Spreadsheets of a language with decimal commas split at `;`.
 */
export function writeCsv(rows: readonly (readonly Cell[])[], language: Language): string {
  const comma = new Intl.NumberFormat(language).format(0.5).includes(',') ? ';' : ',';
  return `\uFEFF${rows.map((row) => row.map(field).join(comma)).join('\r\n')}\r\n`;
}
