import { median } from '../bench/report.ts';

/**
 * One sample of the market: megabytes, counts, and ms of the answers since the sample before.
 * `ruler50` and `ruler95` time a constant piece of work, to show how busy the machine was.
 */
export type Sample = Record<
  | 'second'
  | 'megabytes'
  | 'connections'
  | 'files'
  | 'p50'
  | 'p95'
  | 'ruler50'
  | 'ruler95'
  | 'answers'
  | 'failed',
  number
>;

/**
 * Allowed growth of the last third over the first: a factor and an absolute amount. Answer times
 * are in units of the ruler.
 */
const bounds = {
  megabytes: { times: 1.15, beside: 16 },
  connections: { times: 1, beside: 4 },
  files: { times: 1, beside: 24 },
  p50: { times: 1.5, beside: 2 },
  p95: { times: 1.5, beside: 4 },
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

const valueIn = (sample: Sample, measure: Measure): number =>
  measure === 'p50'
    ? sample.p50 / sample.ruler50
    : measure === 'p95'
      ? sample.p95 / sample.ruler95
      : sample[measure];

/** Compares, for each measure, the median of the last third after the warm-up with the first's. */
export function judge(samples: readonly Sample[]): Verdict[] {
  const warm = samples.slice(Math.ceil(samples.length * warmingPart));
  const third = Math.max(1, Math.floor(warm.length / 3));
  const middle = (part: readonly Sample[], measure: Measure) =>
    median(part.map((sample) => valueIn(sample, measure)));
  return (Object.keys(bounds) as Measure[]).map((measure) => {
    const first = middle(warm.slice(0, third), measure);
    const last = middle(warm.slice(-third), measure);
    const most = first * bounds[measure].times + bounds[measure].beside;
    return { measure, first, last, most, flat: last <= most };
  });
}
