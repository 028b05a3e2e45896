import { hidePrivate, redact } from './redact.ts';

export const logLevels = ['debug', 'info', 'warn', 'error', 'critical'] as const;
export type LogLevel = (typeof logLevels)[number];

export type Log = Record<LogLevel, (message: string, fields?: Record<string, unknown>) => void>;

/** The console's own, also where it was redirected to a log since (console.ts). */
const print: (line: string) => void = console.error.bind(console);

/** A logger that writes one JSON line an entry. The minimum level is `warn` unless told (product §10). */
export function createLog({ level = 'warn' as LogLevel, write = print, now = () => new Date() } = {}): Log {
  const minimum = logLevels.indexOf(level);
  const entry =
    (index: number) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      if (index < minimum) return;
      write(JSON.stringify({ at: now().toISOString(), level: logLevels[index], message: hidePrivate(message), ...(redact(fields) as object) }));
    };
  return Object.fromEntries(logLevels.map((name, index) => [name, entry(index)])) as Log;
}
