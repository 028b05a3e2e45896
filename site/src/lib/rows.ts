/** Divides a list into as few rows of at most `longest` as it needs, of nearly the same length. */
export function rowsOf<T>(list: readonly T[], longest: number): T[][] {
  const rows = Math.ceil(list.length / longest);
  const start = (row: number) => Math.ceil((row * list.length) / rows);
  return Array.from({ length: rows }, (_, row) => list.slice(start(row), start(row + 1)));
}
