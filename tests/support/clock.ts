export type Span = {
  days?: number;
  hours?: number;
  minutes?: number;
  seconds?: number;
  milliseconds?: number;
};

const milliseconds = ({
  days = 0,
  hours = 0,
  minutes = 0,
  seconds = 0,
  milliseconds: rest = 0,
}: Span): number => (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + rest;

/** The clock of a test market: it moves only when a test moves it. */
export type Clock = {
  now: () => Date;
  set(moment: Date | string): void;
  advance(span: Span): void;
};

/** Creates a stopped clock, by default on a Monday morning in Douala. */
export function standingClock(start: Date | string = '2026-11-23T08:00:00.000Z'): Clock {
  let current = new Date(start).getTime();
  return {
    now: () => new Date(current),
    set(moment) {
      current = new Date(moment).getTime();
    },
    advance(span) {
      current += milliseconds(span);
    },
  };
}
