import { hidePrivate, redact } from '../shared/redact.ts';

export const logLevels = ['debug', 'info', 'warn', 'error', 'critical'] as const;
export type LogLevel = (typeof logLevels)[number];

export type Log = Record<LogLevel, (message: string, fields?: Record<string, unknown>) => void>;

/** The original console, even after redirection (console.ts). */
const print: (line: string) => void = console.error.bind(console);

/** A running server writes equal entries once in this many seconds. */
export const repeatSeconds = 10;
const mostRemembered = 1000;

type Repeated = { since: number; again: number; line: Line; requests: string[] };
type Line = Record<string, unknown>;

/**
 * A logger that writes one JSON line per entry, from `warn` by default (product §10).
 * @param everySeconds equal entries are written once in this time, then counted in one line as
 * `again`; 0 writes all
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

/** Fields that differ between equal entries. */
const incidental = new Set(['at', 'requestId', 'page', 'id']);
const keyOf = (line: Line): string =>
  JSON.stringify(line, (name, value) =>
    incidental.has(name) ? undefined : name === 'stack' ? placeOf(value) : value,
  );

/** Stack frames compared. The stack's text is not, as it may name a request. */
const framesKept = 3;
const placeOf = (stack: unknown): string =>
  String(stack)
    .split('\n', 50)
    .filter((frame) => frame.trimStart().startsWith('at '))
    .slice(0, framesKept)
    .join();
/** Kept so that the reference a person quotes is still found. */
const mostRequests = 50;

function onceIn(ms: number, put: (line: Line) => void, now: () => Date): (line: Line) => void {
  const seen = new Map<string, Repeated>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const report = ({ again, line, requests }: Repeated) => {
    if (again > 0) put({ ...line, again, ...(requests.length > 1 ? { requests } : {}) });
  };
  // A clock that was set back must not silence an entry.
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
