export const levels = ['debug', 'info', 'warn', 'error', 'critical'] as const;
export type Level = (typeof levels)[number];
export type Fields = Record<string, unknown>;
export type Logger = Record<Level, (message: string, fields?: Fields) => void>;

const secret = new Set(['password', 'token', 'apikey', 'secret', 'whatsapp']);
const hidden = '[redacted]';

/** A copy in which every field called password, token, apiKey, secret or whatsapp is hidden, at any depth and in any case. */
export function redact(value: unknown, seen = new WeakSet<object>()): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (seen.has(value)) return '[circular]';
  if (value instanceof Date) return value.toISOString();
  seen.add(value);
  const copy = copyOf(value, seen);
  seen.delete(value);
  return copy;
}

function copyOf(value: object, seen: WeakSet<object>): unknown {
  if (Array.isArray(value) || value instanceof Set) return [...value].map((item) => redact(item, seen));
  const entries = new Map<string, unknown>(value instanceof Map ? [...value].map(([name, item]) => [String(name), item]) : Object.entries(value));
  if (value instanceof Error) for (const name of ['name', 'message', 'stack', 'cause'] as const) entries.set(name, value[name]);
  return Object.fromEntries(
    [...entries].filter(([, item]) => item !== undefined).map(([name, item]) => [name, secret.has(name.toLowerCase()) ? hidden : redact(item, seen)]),
  );
}

export type Write = (level: Level, message: string, fields: Fields | undefined) => void;

const toConsole: Write = (level, message, fields) => {
  const method = level === 'critical' ? 'error' : level;
  console[method](...(fields ? [`[${level}] ${message}`, fields] : [`[${level}] ${message}`]));
};

/** A logger of the browser: nothing below `minimum` (product §10: warn), nothing secret. */
export function makeLogger({ minimum = 'warn', write = toConsole }: { minimum?: Level; write?: Write } = {}): Logger {
  const from = levels.indexOf(minimum);
  const at =
    (level: Level) =>
    (message: string, fields?: Fields): void => {
      if (levels.indexOf(level) >= from) write(level, message, fields && (redact(fields) as Fields));
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), critical: at('critical') };
}

export const log = makeLogger();
