import { median } from '../bench/report.ts';

/**
 * What was seen of the market at one moment: megabytes, counts, and the milliseconds of the answers since the moment before. `ruler50` and `ruler95` are those
 * of a piece of work that is always the same, which tells how busy the machine was with others.
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

/** By how much the last third may be above the first one: so many times, and so much beside. Answers are measured in lengths of the ruler. */
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

/** A sixth of the time warms the market up: caches fill, pools open, code is compiled. */
const warmingPart = 1 / 6;

const valueIn = (sample: Sample, measure: Measure): number =>
  measure === 'p50'
    ? sample.p50 / sample.ruler50
    : measure === 'p95'
      ? sample.p95 / sample.ruler95
      : sample[measure];

/** Whether each measure is flat: the median of the last third of the samples after the warming against that of the first. */
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
