import type { Result } from '../bench/report.ts';

/** A measurement without a buyer: a note, and the lines that show it in full. */
export type Inspection = {
  name: string;
  run(): Promise<{ result: Result; held: boolean; lines: string }>;
};
