import { median } from './report.ts';

/** One sample of a market: memory of its processes, counts, and median milliseconds of answers. */
export type Sample = Record<'megabytes' | 'connections' | 'files' | 'ms', number>;

/** Allowed growth of the last third over the first: a factor and an absolute amount. */
const bounds = {
  megabytes: { times: 1.15, beside: 16 },
  connections: { times: 1, beside: 4 },
  files: { times: 1, beside: 24 },
  ms: { times: 1.5, beside: 4 },
} as const;
type Measure = keyof typeof bounds;
export type Verdict = {
  measure: Measure;
  first: number;
  last: number;
  most: number;
  flat: boolean;
};

/** Warm-up: caches fill, pools open, code is compiled. */
const warmingPart = 1 / 6;

/** Compares, for each measure, the median of the last third after the warm-up with the first's. */
export function judge(samples: readonly Sample[]): Verdict[] {
  const warm = samples.slice(Math.ceil(samples.length * warmingPart));
  const third = Math.max(1, Math.floor(warm.length / 3));
  const middle = (part: readonly Sample[], measure: Measure) =>
    median(part.map((sample) => sample[measure]).filter((value) => !Number.isNaN(value)));
  return (Object.keys(bounds) as Measure[]).map((measure) => {
    const first = middle(warm.slice(0, third), measure);
    const last = middle(warm.slice(-third), measure);
    const most = first * bounds[measure].times + bounds[measure].beside;
    return { measure, first, last, most, flat: !(last > most) };
  });
}
