export const logLevels = ['debug', 'info', 'warn', 'error', 'critical'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Fields that never reach a log, at any depth and in any case (connect-and-shell §9). */
const secretFields = new Set(['password', 'token', 'apikey', 'secret', 'whatsapp']);

/** Copies a value for the log: secret fields read `[redacted]`, errors keep message and stack, cycles end. */
export function redact(value: unknown, seen: WeakSet<object> = new WeakSet()): unknown {
  if (value === null || typeof value !== 'object') return typeof value === 'bigint' ? value.toString() : typeof value === 'string' ? hidePrivate(value) : value;
  if (seen.has(value)) return '[again]';
  seen.add(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Error)
    return {
      name: value.name,
      message: hidePrivate(value.message),
      stack: hidePrivate(value.stack ?? ''),
      ...(value.cause ? { cause: redact(value.cause, seen) } : {}),
    };
  if (Array.isArray(value)) return value.map((entry) => redact(entry, seen));
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, isSecret(name) ? '[redacted]' : redact(entry, seen)]));
}

function isSecret(field: string): boolean {
  const name = field.toLowerCase().replaceAll(/[_-]/g, '');
  for (const secret of secretFields) if (name.includes(secret)) return true;
  return false;
}

/**
 * What no text may carry into a log, an error's least of all: the parameters of a failed statement, which database errors quote over as many
 * lines as they have, phone numbers, mail addresses, and what signs somebody in.
 */
function hidePrivate(text: string): string {
  return text
    .replaceAll(/\bparams: [\s\S]*?(?=\n {4}at |$)/g, 'params: [redacted]')
    .replaceAll(/((?:token|code|password|secret)=|reset-password:)[^&;\s"'<>)]+/gi, '$1[redacted]')
    .replaceAll(/\+\d{7,15}/g, '+[redacted]')
    .replaceAll(/[\w.%+-]{1,64}@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/gi, '[address]');
}

export type Log = Record<LogLevel, (message: string, fields?: Record<string, unknown>) => void>;

/** The console's own, also where it was redirected to a log since (console.ts). */
const print: (line: string) => void = console.error.bind(console);

/** A logger that writes one JSON line an entry. The minimum level is `warn` unless told (connect-and-shell §9). */
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
