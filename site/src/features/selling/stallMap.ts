import { rowsOf } from '../../lib/rows.ts';

const longestRow = 18;
const step = 20;
/** Side of a stall; the rest of a step is the gap. */
export const side = 16;

/** Places `count` stalls on a map, by number from 1, in units of its SVG. */
export function stallMap(count: number) {
  const rows = rowsOf(
    Array.from({ length: count }, (_, order) => order + 1),
    longestRow,
  );
  const gap = (step - side) / 2;
  return {
    width: Math.max(0, ...rows.map((row) => row.length)) * step,
    height: rows.length * step,
    stalls: rows.flatMap((row, y) =>
      row.map((slot, x) => ({ slot, x: x * step + gap, y: y * step + gap })),
    ),
  };
}
