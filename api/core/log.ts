export const logLevels = ['debug', 'info', 'warn', 'error', 'critical'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Fields that never reach a log, at any depth and in any case (product §10). */
const secretFields = new Set(['password', 'token', 'apikey', 'secret', 'whatsapp']);

/** Copies a value for the log: secret fields read `[redacted]`, private words are hidden, errors keep message and stack, cycles end. */
export const redact = (value: unknown): unknown => copyOf(value, hidePrivate);

/** The same for the audit log, which only admins read: it names people by their mail addresses. */
export const redactForAdmins = (value: unknown): unknown => copyOf(value, hideSecrets);

function copyOf(value: unknown, hide: (text: string) => string, seen: WeakSet<object> = new WeakSet()): unknown {
  if (value === null || typeof value !== 'object') return typeof value === 'bigint' ? value.toString() : typeof value === 'string' ? hide(value) : value;
  if (seen.has(value)) return '[again]';
  seen.add(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Error)
    return {
      name: value.name,
      message: hide(value.message),
      stack: hide(value.stack ?? ''),
      ...(value.cause ? { cause: copyOf(value.cause, hide, seen) } : {}),
    };
  if (Array.isArray(value)) return value.map((entry) => copyOf(entry, hide, seen));
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, isSecret(name) ? '[redacted]' : copyOf(entry, hide, seen)]));
}

function isSecret(field: string): boolean {
  const name = field.toLowerCase().replaceAll(/[_-]/g, '');
  for (const secret of secretFields) if (name.includes(secret)) return true;
  return false;
}

/** What no text may carry into a log, an error's least of all: what {@link hideSecrets} hides, and mail addresses. */
const hidePrivate = (text: string): string => hideSecrets(text).replaceAll(/[\w.%+-]{1,64}@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/gi, '[address]');

/** The parameters of a failed statement, which database errors quote over as many lines as they have, phone numbers, and what signs somebody in. */
function hideSecrets(text: string): string {
  return text
    .replaceAll(/\bparams: [\s\S]*?(?=\n {4}at |$)/g, 'params: [redacted]')
    .replaceAll(/((?:token|code|password|secret)=|reset-password:)[^&;\s"'<>)]+/gi, '$1[redacted]')
    .replaceAll(/\+\d{7,15}/g, '+[redacted]');
}

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
