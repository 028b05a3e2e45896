import { judge } from '../testbed/flat.ts';
import { columns, median, percentile } from '../testbed/report.ts';
import type { Day } from './day.ts';
import { type Kind, kept, kinds, type Phase } from './order.ts';

/** Targets for the first byte: p99 in ms, and its ratio to the quiet time of the same day. */
const wanted = { kept: 100, others: 500, timesQuiet: 5 };
/** With fewer answers, a p99 is just the slowest: shown, but judged only over the whole day. */
const enough = 100;
/** Judged phases: kills and restores are excluded, since a restore belongs on another machine. */
const judged: readonly Phase[] = ['quiet', 'work', 'peak'];
const backWithin = 30;

export type Verdict = { name: string; want: string; value: string; met: boolean };

const ms = (value: number): string =>
  Number.isNaN(value) ? '' : value >= 100 ? value.toFixed(0) : value.toFixed(1);
const sum = (counts: Record<string, number> | undefined): number =>
  Object.values(counts ?? {}).reduce((all, n) => all + n, 0);
const p99 = (all: readonly number[]) => percentile(all, 0.99);

const firstByteOf = ({ report }: Day, kind: Kind, among: readonly Phase[]): number[] =>
  among.flatMap((phase) => report.firstByte[phase]?.[kind] ?? []);

/**
 * Seconds from the peak's end until two successive windows of five seconds are as quick as quiet
 * ones; undefined if never.
 */
export function secondsUntilQuiet({
  report,
  peak,
}: Pick<Day, 'report' | 'peak'>): number | undefined {
  const quiet = percentile(Object.values(report.firstByte.quiet ?? {}).flat(), 0.95);
  const fine = (from: number) => {
    const window = Array.from(
      { length: 5 },
      (_, n) => report.bySecond[Math.floor(peak.to) + from + n] ?? [],
    ).flat();
    return window.length === 0 || percentile(window, 0.95) <= 2 * quiet + 5;
  };
  for (let after = 0; after < 300; after++) if (fine(after) && fine(after + 5)) return after;
  return undefined;
}

/** Judges a day against its targets. */
export function verdictsOf(day: Day): Verdict[] {
  const { report, lost, violations, seen } = day;
  const none = (name: string, count: number, value = String(count)): Verdict => ({
    ...{ name, want: '0', value, met: count === 0 },
  });
  const faults = (['quiet', 'work', 'warm', 'restoring', 'peak'] as const).map((phase) =>
    none(`5xx other than 503 with Retry-After, and no answer: ${phase}`, sum(report.faults[phase])),
  );
  const firstBytes = kinds.map((kind): Verdict => {
    const limit = kept.has(kind) ? wanted.kept : wanted.others;
    const quiet = firstByteOf(day, kind, ['quiet']);
    const each = [
      ...judged
        .map((phase) => firstByteOf(day, kind, [phase]))
        .filter(({ length }) => length >= enough),
      firstByteOf(day, kind, judged),
    ];
    const worst = Math.max(...each.map(p99));
    const ratio = worst / p99(quiet);
    const byRatio = !kept.has(kind) && quiet.length >= enough;
    return {
      name: `first byte, p99, worst phase: ${kind}`,
      want: `≤ ${limit} ms${byRatio ? `, ≤ ${wanted.timesQuiet} × quiet` : ''}`,
      value: `${ms(worst) || 'no'} ms${byRatio ? `, ${ratio.toFixed(1)} ×` : ''}`,
      met: worst <= limit && (!byRatio || ratio <= wanted.timesQuiet),
    };
  });
  const back = secondsUntilQuiet(day);
  const samples = seen.map((one) => ({
    ...one,
    ms: median(report.bySecond[Math.floor(one.at)] ?? []),
  }));
  return [
    none('acknowledged writes lost', lost.length, `${lost.length} of ${day.acknowledged}`),
    none('rules broken, processes ended, backups failed', violations.length),
    ...faults,
    ...firstBytes,
    {
      name: 'back to quiet after the tenfold time',
      want: `≤ ${backWithin} s`,
      value: `${back ?? 'never'} s`,
      met: (back ?? backWithin + 1) <= backWithin,
    },
    ...judge(samples).map(({ measure, first, last, most, flat }) => ({
      name: `flat: ${measure}, first third ${ms(first)}`,
      want: `≤ ${ms(most)}`,
      value: ms(last),
      met: flat,
    })),
  ];
}

export function dayInWords(day: Day): string {
  const { report, seen, troubles } = day;
  const shown: [string, readonly Phase[]][] = [
    ['quiet', ['quiet']],
    ['work', ['work']],
    ['peak', ['peak']],
    ['all', judged],
    ['kill', ['kill']],
    ['restoring', ['restoring']],
  ];
  const rows = kinds.map((kind) => [
    kind,
    String(firstByteOf(day, kind, [...judged, 'kill', 'warm', 'restoring']).length),
    ms(percentile(firstByteOf(day, kind, ['quiet']), 0.5)),
    ...shown.map(([, among]) => {
      const all = firstByteOf(day, kind, among);
      return all.length >= enough ? ms(p99(all)) : all.length > 0 ? `(${ms(p99(all))})` : '';
    }),
  ]);
  const late = Object.values(report.late).flat();
  return [
    `${report.visits} visits in ${report.seconds.toFixed(0)} s, ${report.lines.opened} event lines opened (${report.lines.most} at once, ${report.lines.lost} broken, ${report.lines.changes} changes read)`,
    columns([
      ['first byte, ms', 'answers', 'quiet p50', ...shown.map(([name]) => `${name} p99`)],
      ...rows,
    ]),
    `In brackets: fewer than ${enough} answers. The generator was late by ${ms(p99(late))} ms (p99).`,
    ...countsInWords('Answered otherwise', report.refused),
    ...countsInWords('Faults', report.faults),
    `Happened: ${troubles.log.join('; ')}; ${JSON.stringify(troubles.done)}, longest backup ${(troubles.longestBackupMs / 1000).toFixed(1)} s`,
    `Acknowledged: ${Object.entries(report.written)
      .map(([act, { texts, unheard }]) => `${act} ${texts.length} (${unheard} asked again)`)
      .join(', ')}`,
    columns([
      ['second', 'MB', 'connections', 'files', 'lines'],
      ...seen
        .filter((_, n) => n % Math.max(1, Math.floor(seen.length / 12)) === 0)
        .map(({ at, megabytes, connections, files, lines }) =>
          [at, megabytes, connections, files, lines].map((n) => n.toFixed(0)),
        ),
    ]),
    ...day.violations.map((text) => `violation: ${text}`),
    ...day.lost.slice(0, 50).map((text) => `lost: ${text}`),
    columns([
      ['', 'want', 'value', 'met'],
      ...verdictsOf(day).map(({ name, want, value, met }) => [
        ...[name, want, value],
        met ? 'yes' : 'NO',
      ]),
    ]),
  ].join('\n\n');
}

function countsInWords(title: string, counts: Day['report']['faults']): string[] {
  const lines = Object.entries(counts).map(([phase, all]) => {
    const most = Object.entries(all)
      .sort(([, a], [, b]) => b - a)
      .slice(0, 12);
    return `  ${phase}: ${most.map(([what, n]) => `${what} × ${n}`).join('; ')}`;
  });
  return lines.length > 0 ? [`${title}\n${lines.join('\n')}`] : [];
}
