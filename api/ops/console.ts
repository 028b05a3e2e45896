import type { Log, LogLevel } from './log.ts';

const levels = {
  debug: 'debug',
  log: 'info',
  info: 'info',
  warn: 'warn',
  error: 'error',
  trace: 'debug',
} as const satisfies Record<string, LogLevel>;

/** Redirects the console of libraries to the log, which redacts it. Returns the undo function. */
export function redirectConsole(log: Log): () => void {
  const before = { ...console };
  for (const [method, level] of Object.entries(levels) as [keyof typeof levels, LogLevel][]) {
    console[method] = (...given: unknown[]) => {
      const text = given.filter((part) => typeof part === 'string').join(' ');
      const rest = given.filter((part) => typeof part !== 'string');
      log[level](text || 'Written to the console', {
        source: 'console',
        ...(rest.length > 0 ? { details: rest } : {}),
      });
    };
  }
  return () => {
    for (const method of Object.keys(levels) as (keyof typeof levels)[])
      console[method] = before[method];
  };
}

type Process = Pick<NodeJS.Process, 'on' | 'off'>;

/**
 * Logs uncaught errors redacted; the runtime would print statement and values. After an exception
 * the state is unknown, so `fatal` ends the process.
 */
export function logUncaught(log: Log, fatal: () => void, host: Process = process): () => void {
  const rejected = (error: unknown) => log.critical('Nobody waited for a rejection', { error });
  const thrown = (error: unknown) => {
    log.critical('Nobody caught an exception', { error });
    fatal();
  };
  host.on('unhandledRejection', rejected);
  host.on('uncaughtException', thrown);
  return () => {
    host.off('unhandledRejection', rejected);
    host.off('uncaughtException', thrown);
  };
}
