import { hidePrivate, redact } from './redact.ts';

export const logLevels = ['debug', 'info', 'warn', 'error', 'critical'] as const;
export type LogLevel = (typeof logLevels)[number];

export type Log = Record<LogLevel, (message: string, fields?: Record<string, unknown>) => void>;

/** The console's own, also where it was redirected to a log since (console.ts). */
const print: (line: string) => void = console.error.bind(console);

/** Seconds in which a running server writes the same entry once. */
export const repeatSeconds = 10;
/** Entries that are remembered at once; beyond these each is written. */
const mostRemembered = 1000;

type Repeated = { since: number; again: number; line: Line; requests: string[] };
type Line = Record<string, unknown>;

/**
 * A logger that writes one JSON line an entry. The minimum level is `warn` unless told (product §10).
 * @param everySeconds the same entry is written once in so many seconds; how often it came again follows in a line of its own, as `again`. 0 writes all.
 */
export function createLog({
  level = 'warn' as LogLevel,
  write = print,
  now = () => new Date(),
  everySeconds = 0,
} = {}): Log {
  const minimum = logLevels.indexOf(level);
  const put = (line: Line) => write(JSON.stringify(line));
  const once = everySeconds > 0 ? onceIn(everySeconds * 1000, put, now) : put;
  const entry =
    (index: number) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      if (index < minimum) return;
      once({
        at: now().toISOString(),
        level: logLevels[index],
        message: hidePrivate(message),
        ...(redact(fields) as object),
      });
    };
  return Object.fromEntries(logLevels.map((name, index) => [name, entry(index)])) as Log;
}

/** Fields that differ each time although the same has happened: when, and for which request. */
const incidental = new Set(['at', 'requestId', 'page', 'id']);
const keyOf = (line: Line): string =>
  JSON.stringify(line, (name, value) =>
    incidental.has(name) ? undefined : name === 'stack' ? placeOf(value) : value,
  );

/** Frames of a stack that tell two places of one message apart; its text, which may name a request, is no part of them. */
const framesKept = 3;
const placeOf = (stack: unknown): string =>
  String(stack)
    .split('\n', 50)
    .filter((frame) => frame.trimStart().startsWith('at '))
    .slice(0, framesKept)
    .join();
/** Requests that a repeated entry names, so that the reference which a person quotes is still found. */
const mostRequests = 50;

/** Passes an entry on the first time; the same ones that follow are counted, and reported in one line when the time is over. */
function onceIn(ms: number, put: (line: Line) => void, now: () => Date): (line: Line) => void {
  const seen = new Map<string, Repeated>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const report = ({ again, line, requests }: Repeated) => {
    if (again > 0) put({ ...line, again, ...(requests.length > 1 ? { requests } : {}) });
  };
  // A clock that was set back must not keep an entry silent.
  const isOver = ({ since }: Repeated) => Math.abs(now().getTime() - since) >= ms;
  function sweep(all = false): void {
    for (const [key, repeated] of seen) {
      if (!all && !isOver(repeated)) continue;
      seen.delete(key);
      report(repeated);
    }
    if (seen.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }
  process.on('exit', () => sweep(true));
  return (line) => {
    const key = keyOf(line);
    const before = seen.get(key);
    if (before && !isOver(before)) {
      before.again++;
      before.line = line;
      if (typeof line.requestId === 'string' && before.requests.length < mostRequests)
        before.requests.push(line.requestId);
      return;
    }
    if (before) report(before);
    if (before || seen.size < mostRemembered) {
      seen.set(key, { since: now().getTime(), again: 0, line, requests: [] });
      timer ??= setInterval(sweep, ms);
      timer.unref();
    }
    put(line);
  };
}
