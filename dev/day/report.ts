import { judge } from '../soak/judge.ts';
import type { Day } from './day.ts';
import { type Histogram, merged } from './histogram.ts';
import { type Kind, kept, kinds, type Phase } from './order.ts';
import { type Seen, sharesBetween } from './watch.ts';

/** Targets for the first byte: p99 in ms, and its ratio to the quiet time of the same day. */
const wanted = { kept: 100, others: 500, timesQuiet: 5 };
/** With fewer answers, a p99 is just the slowest: shown, but judged only over the whole day. */
const enough = 100;
/** Judged phases: kills and restores are excluded, since a restore belongs on another machine. */
const judged: readonly Phase[] = ['quiet', 'work', 'peak'];
const backWithin = 30;
/** Measures that must stay flat, as in a soak. */
const flatMeasures = ['megabytes', 'connections', 'files'];

export type Verdict = { name: string; want: string; value: string; met: boolean };

const ms = (value: number): string =>
  Number.isNaN(value) ? '' : value >= 100 ? value.toFixed(0) : value.toFixed(1);
const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;
const sum = (counts: Record<string, number> | undefined): number =>
  Object.values(counts ?? {}).reduce((all, n) => all + n, 0);
const table = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

const firstByteOf = ({ report }: Day, kind: Kind, among: readonly Phase[]): Histogram =>
  merged(among.flatMap((phase) => report.firstByte[phase]?.[kind] ?? []));

/**
 * Seconds from the peak's end until two successive windows of five seconds are as quick as quiet
 * ones; undefined if never.
 */
export function secondsUntilQuiet({
  report,
  peak,
}: Pick<Day, 'report' | 'peak'>): number | undefined {
  const quiet = merged(Object.values(report.firstByte.quiet ?? {})).percentile(0.95);
  const fine = (from: number) => {
    const seconds = Array.from(
      { length: 5 },
      (_, n) => report.bySecond[Math.floor(peak.to) + from + n] ?? [],
    ).flat();
    const window = merged(seconds);
    return window.count === 0 || window.percentile(0.95) <= 2 * quiet + 5;
  };
  for (let after = 0; after < 300; after++) if (fine(after) && fine(after + 5)) return after;
  return undefined;
}

/** Judges a day against its targets. */
export function verdictsOf(day: Day): Verdict[] {
  const { report, lost, violations, seen } = day;
  const verdicts: Verdict[] = [
    {
      name: 'acknowledged writes lost',
      want: '0',
      value: `${lost.length} of ${day.acknowledged}`,
      met: lost.length === 0,
    },
    {
      name: 'rules broken, processes ended, backups failed',
      want: '0',
      value: String(violations.length),
      met: violations.length === 0,
    },
  ];
  const faults = (['quiet', 'work', 'warm', 'restoring', 'peak'] as const).map(
    (phase) => [phase, sum(report.faults[phase])] as const,
  );
  for (const [phase, count] of faults)
    verdicts.push({
      name: `5xx other than 503 with Retry-After, and no answer: ${phase}`,
      want: '0',
      value: String(count),
      met: count === 0,
    });
  for (const kind of kinds) {
    const limit = kept.has(kind) ? wanted.kept : wanted.others;
    const quiet = firstByteOf(day, kind, ['quiet']);
    const each = [
      ...judged
        .map((phase) => firstByteOf(day, kind, [phase]))
        .filter(({ count }) => count >= enough),
      firstByteOf(day, kind, judged),
    ];
    const worst = Math.max(...each.map((all) => all.percentile(0.99)));
    const ratio = worst / quiet.percentile(0.99);
    const byRatio = !kept.has(kind) && quiet.count >= enough;
    const met = worst <= limit && (!byRatio || ratio <= wanted.timesQuiet);
    const want = `≤ ${limit} ms${byRatio ? `, ≤ ${wanted.timesQuiet} × quiet` : ''}`;
    verdicts.push({
      name: `first byte, p99, worst phase: ${kind}`,
      want,
      value: Number.isNaN(worst)
        ? 'none'
        : `${ms(worst)} ms${byRatio ? `, ${ratio.toFixed(1)} ×` : ''}`,
      met,
    });
  }
  const back = secondsUntilQuiet(day);
  verdicts.push({
    name: 'back to quiet after the tenfold time',
    want: `≤ ${backWithin} s`,
    value: `${back ?? 'never'} s`,
    met: (back ?? backWithin + 1) <= backWithin,
  });
  for (const { measure, first, last, most, flat } of judge(seen).filter((verdict) =>
    flatMeasures.includes(verdict.measure),
  ))
    verdicts.push({
      name: `flat: ${measure}, first third ${ms(first)}`,
      want: `≤ ${ms(most)}`,
      value: ms(last),
      met: flat,
    });
  return verdicts;
}

export function dayInWords(day: Day): string {
  const { report, seen, troubles, peak } = day;
  const columns: [string, readonly Phase[]][] = [
    ['quiet', ['quiet']],
    ['work', ['work']],
    ['peak', ['peak']],
    ['all', judged],
    ['kill', ['kill']],
    ['restoring', ['restoring']],
  ];
  const rows = kinds.map((kind) => {
    const quiet = firstByteOf(day, kind, ['quiet']);
    const cells = columns.map(([, among]) => {
      const all = firstByteOf(day, kind, among);
      return all.count === 0
        ? ''
        : all.count < enough
          ? `(${ms(all.percentile(0.99))})`
          : ms(all.percentile(0.99));
    });
    return [
      kind,
      String(firstByteOf(day, kind, [...judged, 'kill', 'warm', 'restoring']).count),
      ms(quiet.percentile(0.5)),
      ...cells,
    ];
  });
  const parts = [
    `${report.visits} visits in ${report.seconds.toFixed(0)} s, ${report.lines.opened} event lines opened (${report.lines.most} at once, ${report.lines.lost} broken, ${report.lines.changes} changes read)`,
    table([
      ['first byte, ms', 'answers', 'quiet p50', ...columns.map(([name]) => `${name} p99`)],
      ...rows,
    ]),
    'In brackets: fewer than 100 answers.',
    ...countsInWords('Answered otherwise', report.refused),
    ...countsInWords('Faults', report.faults),
    `Happened: ${troubles.log.join('; ')}; ${JSON.stringify(troubles.done)}, longest backup ${(troubles.longestBackupMs / 1000).toFixed(1)} s`,
    `Acknowledged: ${Object.entries(report.written)
      .map(([act, { texts, unheard }]) => `${act} ${texts.length} (${unheard} asked again)`)
      .join(', ')}`,
    sharesInWords(seen, peak),
    lateInWords(day),
    table([
      ['second', 'MB', 'connections', 'files', 'lines'],
      ...seen
        .filter((_, n) => n % Math.max(1, Math.floor(seen.length / 12)) === 0)
        .map(({ second, megabytes, connections, files, lines }) =>
          [second, megabytes, connections, files, lines].map((n) => n.toFixed(0)),
        ),
    ]),
    ...day.violations.map((text) => `violation: ${text}`),
    ...day.lost.slice(0, 50).map((text) => `lost: ${text}`),
    table([
      ['', 'want', 'value', 'met'],
      ...verdictsOf(day).map(({ name, want, value, met }) => [
        name,
        want,
        value,
        met ? 'yes' : 'NO',
      ]),
    ]),
  ];
  return parts.join('\n\n');
}

function countsInWords(title: string, counts: Day['report']['faults']): string[] {
  const lines = Object.entries(counts).map(([phase, all]) => {
    const most = Object.entries(all).sort(([, a], [, b]) => b - a);
    return `  ${phase}: ${most
      .slice(0, 12)
      .map(([what, n]) => `${what} × ${n}`)
      .join('; ')}`;
  });
  return lines.length > 0 ? [`${title}\n${lines.join('\n')}`] : [];
}

function sharesInWords(seen: readonly Seen[], peak: Day['peak']): string {
  const [first, last] = [seen[0], seen.at(-1)];
  const inPeak = seen.filter(({ at }) => at >= peak.from && at <= peak.to);
  const [from, to] = [inPeak[0], inPeak.at(-1)];
  if (!first || !last || !from || !to || from === to)
    return 'Too short to measure shares of the processors.';
  const [all, tenfold] = [sharesBetween(first, last), sharesBetween(from, to)];
  const rows = Object.entries(all).map(([part, share]) => [
    part,
    percent(share),
    percent(tenfold[part as keyof typeof tenfold]),
  ]);
  return table([['share of all cores', 'day', 'tenfold'], ...rows]);
}

function lateInWords({ report }: Day): string {
  const rows = Object.entries(report.late).map(([phase, counts]) => {
    const all = merged([counts]);
    return [
      phase,
      String(all.count),
      ms(all.percentile(0.5)),
      ms(all.percentile(0.99)),
      ms(all.max),
    ];
  });
  return table([['generator late, ms', 'sent', 'p50', 'p99', 'most'], ...rows]);
}
