export type Cell = string | number | null;

/** A text that begins like a formula would be run by a spreadsheet: an apostrophe ahead of it makes it words again. */
const harmless = (text: string): string => (/^[\s]*[=+\-@|\t\r]/.test(text) ? `'${text}` : text);

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
