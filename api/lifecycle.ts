import { damagedAdvice, isDamage } from '../db/client.ts';
import { DataFolderInUse } from '../db/datafolder.ts';
import { logUncaught, redirectConsole } from './ops/console.ts';
import { BadEnvironment, type Env, readEnv } from './ops/env.ts';
import { createLog, repeatSeconds } from './ops/log.ts';
import { redact } from './shared/redact.ts';

/** For the person who started the server; other console output goes to the log. */
export const terminal = { log: console.log.bind(console), error: console.error.bind(console) };
/** For events outside the market's own log. */
export const log = createLog({ everySeconds: repeatSeconds });
redirectConsole(log);
logUncaught(log, () => void stop(1));

/** Aborted when the process is asked to end. */
export const leaving = new AbortController();

/** Cleanup steps, run in reverse on stop or a failed start. */
export const undo: ((code: number) => Promise<unknown>)[] = [];

let stopping: Promise<void> | undefined;
/** Drains; a second signal does not speed it up. */
export function stop(code: number): Promise<void> {
  stopping ??= (async () => {
    for (const step of undo.reverse())
      await step(code).catch((error) =>
        log.error('A part of the server did not stop cleanly', { error }),
      );
    process.exit(code);
  })();
  return stopping;
}

process.on('SIGTERM', () => void stop(0));
process.on('SIGINT', () => void stop(0));

/** Prints a failure as a sentence and ends the process. */
export async function attempt(begin: (env: Env) => Promise<unknown>): Promise<void> {
  try {
    await begin(readEnv(process.env));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    terminal.error(
      error instanceof BadEnvironment || error instanceof DataFolderInUse
        ? message
        : String(redact(message)),
    );
    if (isDamage(error)) terminal.error(damagedAdvice);
    await stop(1);
  }
}
