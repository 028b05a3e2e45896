export type Cell = string | number | null;

/** Signs that begin a formula, in their wide forms too. */
const formula = /[=+\-@|\uff1d\uff0b\uff0d\uff20]/;
/** Starts of a cell within a text: French spreadsheets split at `;`, others at tabs, careless ones at any line break. */
const separator = /[;\t\r\n]/;

/**
 * A text that a spreadsheet would run as a formula gets an apostrophe ahead of each sign that may begin one (decision 060): at
 * its start and behind `;`, tabs and line breaks, spaces and quotes between them aside. A text that begins with a tab or a
 * line break gets one too.
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
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A table as CSV (RFC 4180), with the mark that lets spreadsheets read its accents. Text that people typed cannot become a formula. */
export function writeCsv(rows: readonly (readonly Cell[])[]): string {
  return `\uFEFF${rows.map((row) => row.map(field).join(',')).join('\r\n')}\r\n`;
}
