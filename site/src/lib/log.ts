import { redact } from '../../../api/shared/redact.ts';

export const levels = ['debug', 'info', 'warn', 'error', 'critical'] as const;
export type Level = (typeof levels)[number];
export type Fields = Record<string, unknown>;
export type Logger = Record<Level, (message: string, fields?: Fields) => void>;

export type Write = (level: Level, message: string, fields: Fields | undefined) => void;

const toConsole: Write = (level, message, fields) => {
  const method = level === 'critical' ? 'error' : level;
  console[method](...(fields ? [`[${level}] ${message}`, fields] : [`[${level}] ${message}`]));
};

/**
 * Creates a browser logger that redacts secrets and drops levels below `minimum` (product §10:
 * warn).
 */
export function makeLogger({
  minimum = 'warn',
  write = toConsole,
}: {
  minimum?: Level;
  write?: Write;
} = {}): Logger {
  const from = levels.indexOf(minimum);
  const at =
    (level: Level) =>
    (message: string, fields?: Fields): void => {
      if (levels.indexOf(level) >= from)
        write(level, message, fields && (redact(fields) as Fields));
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    critical: at('critical'),
  };
}

/** The browser's log. Public pages omit it to save its bytes. */
export const log = makeLogger();
