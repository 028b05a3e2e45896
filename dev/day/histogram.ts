/** Upper edge of the first bucket in ms, and the ratio of each edge to the one before. */
const [first, step] = [0.1, 1.06];
const buckets = 260;

/** A histogram's counts, as sent between processes; `max` in ms. */
export type Counts = { counts: number[]; max: number };

/** Durations in buckets 6 % wide: an hour of them takes a kilobyte. */
export class Histogram {
  readonly #counts = new Uint32Array(buckets);
  #max = 0;
  count = 0;

  add(ms: number): void {
    const bucket =
      ms <= first ? 0 : Math.min(buckets - 1, Math.ceil(Math.log(ms / first) / Math.log(step)));
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.count++;
    if (ms > this.#max) this.#max = ms;
  }

  get max(): number {
    return this.#max;
  }

  /** The value that this part (0-1) does not exceed, at most 6 % too high; NaN when empty. */
  percentile(part: number): number {
    let left = Math.max(1, Math.ceil(this.count * part));
    for (let bucket = 0; bucket < buckets; bucket++) {
      left -= this.#counts[bucket] ?? 0;
      if (left <= 0) return Math.min(this.#max, first * step ** bucket);
    }
    return Number.NaN;
  }

  merge({ counts, max }: Counts): this {
    for (const [bucket, count] of counts.entries()) {
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + count;
      this.count += count;
    }
    this.#max = Math.max(this.#max, max);
    return this;
  }

  toJSON(): Counts {
    return { counts: [...this.#counts], max: this.#max };
  }
}

export const merged = (all: readonly Counts[]): Histogram =>
  all.reduce((sum: Histogram, one) => sum.merge(one), new Histogram());
