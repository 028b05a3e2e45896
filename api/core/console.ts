import type { Log, LogLevel } from './log.ts';

const levels = {
  debug: 'debug',
  log: 'info',
  info: 'info',
  warn: 'warn',
  error: 'error',
  trace: 'debug',
} as const satisfies Record<string, LogLevel>;

/**
 * Turns everything that a library writes to the console (Astro, React, better-auth, a driver) into entries of the log, which hides what must
 * not be read. The server's own words to whoever started it go to the terminal itself. Answers how to undo it.
 */
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
 * What nobody caught goes to the log as well, instead of whole to the terminal, statement and values included. A rejection that nobody waited
 * for harms nobody else; after an exception the state is unknown, and `fatal` ends the process.
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
