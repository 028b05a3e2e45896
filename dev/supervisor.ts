import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

/** A failed start waits for the next change. */
export type Supervisor = {
  /** Undefined while away; waits half a minute at most for a start. */
  port(): Promise<number | undefined>;
  restart(why: string): void;
  stop(): Promise<void>;
};

const startMs = 30_000;
/** Before SIGKILL; the next process has started by then. */
const patienceMs = 3_000;

/** `script` sends its port over IPC. */
export function supervise(script: string, env: Record<string, string | undefined>): Supervisor {
  let current: ChildProcess | undefined;
  let port: Promise<number | undefined> = Promise.resolve(undefined);
  let stopped = false;
  const ending = new Set<Promise<void>>();

  function start(): void {
    const child = spawn(process.execPath, [script], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    current = child;
    port = new Promise((resolve) => {
      child.once('message', (message) => resolve((message as { port: number }).port));
      child.once('exit', (code, signal) => {
        resolve(undefined);
        if (child !== current) return;
        port = Promise.resolve(undefined);
        if (stopped) return;
        console.error(
          `The API ended (${signal ?? `code ${code}`}). It starts again at the next change.`,
        );
      });
      child.once('error', () => resolve(undefined));
    });
  }

  function end(child: ChildProcess, patience: number): void {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), patience);
    const ended = gone.then(() => {
      clearTimeout(timer);
      ending.delete(ended);
    });
    ending.add(ended);
  }

  start();
  return {
    async port() {
      for (;;) {
        const asked = current;
        const answer = await Promise.race([port, pause(startMs, undefined, { ref: false })]);
        // A change during its start gave it a successor.
        if (answer !== undefined || asked === current) return answer;
      }
    },
    restart(why) {
      if (stopped) return;
      console.log(why);
      if (current) end(current, patienceMs);
      start();
    },
    async stop() {
      stopped = true;
      if (current) end(current, 12_000);
      await Promise.all(ending);
    },
  };
}
