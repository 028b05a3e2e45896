import { keptMs } from './periods.ts';
import { type Part, retention } from './table.ts';

/**
 * Moment up to which a job deletes a table's rows, or a part of them. Undefined where the line names
 * no period, keeps for good, or names another job: then this one deletes nothing.
 */
export function deletesUntil(
  { now }: { now: () => Date },
  job: string,
  table: string,
  part?: Part,
): Date | undefined {
  const line = retention.find((one) => one.table === table);
  const period = part ? line?.parts?.[part] : line?.period;
  return line?.job === job && period !== undefined && period !== 'ever'
    ? new Date(now().getTime() - keptMs(period))
    : undefined;
}
