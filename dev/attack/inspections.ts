import { type Result, table } from '../bench/report.ts';
import { openOwnPlace } from '../fuzz/own.ts';
import type { Inspection } from './inspection.ts';
import { type Held, longestMs, measureLoop } from './loop.ts';
import { textInspection } from './matrix.ts';

const row = ({ operation, field, filling, bytes, status, ms }: Held): Result => ({
  name: operation,
  value: ms,
  unit: 'ms',
  want: `≤ ${longestMs} ms`,
  met: ms <= longestMs,
  note: `${field || 'all'}: ${filling}, ${bytes} bytes, answered ${status}`,
});

/** Event loop time that each operation of the OpenAPI document can be made to spend. */
const loopInspection = (only: RegExp): Inspection => ({
  name: 'loop: one request of at most 64 KB, for every operation',
  async run() {
    const undo: (() => Promise<unknown>)[] = [];
    try {
      const place = await openOwnPlace(undo);
      const { sent, operations, worst } = await measureLoop(
        place,
        (text) => console.error(`  ${text}`),
        only,
      );
      const [first] = worst;
      const ms = first?.ms ?? Number.NaN;
      const held = ms <= longestMs;
      return {
        held,
        result: {
          name: this.name,
          value: ms,
          unit: 'ms',
          want: `≤ ${longestMs} ms`,
          met: held,
          note: `${sent} requests to ${operations} operations; worst ${first?.operation} ${first?.field} ${first?.filling}`,
        },
        lines: `The event loop's own time for one request, the worst ten\n\n${table(worst.map(row))}`,
      };
    } finally {
      for (const step of undo.reverse()) await step().catch((error) => console.error(error));
    }
  },
});

/**
 * Lists the inspections.
 * @param only operations to measure
 */
export const inspections = (only: RegExp): readonly Inspection[] => [
  loopInspection(only),
  textInspection,
];
