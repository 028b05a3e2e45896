import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Message, pack, unpack } from './frames.ts';
import { type Answer, answers, type Job, type Kind } from './jobs.ts';

/** `rested`: the process had ended idle. `busy`: none is available. */
export type Why =
  | 'notImage'
  | 'cut'
  | 'tooManyPixels'
  | 'tooLong'
  | 'tooHeavy'
  | 'died'
  | 'failed'
  | 'busy'
  | 'rested';
export class PictureFailure extends Error {
  override name = 'PictureFailure';
  constructor(
    readonly why: Why,
    detail = '',
  ) {
    super(detail ? `${why}: ${detail}` : why);
  }
}

export type JobLimits = { ms: number; memory: number };
export type Child = {
  readonly pid: number;
  readonly alive: boolean;
  /**
   * Runs one job at a time. Rejects with a {@link PictureFailure}, having killed a process that
   * was too slow or large.
   */
  run(job: Job, files: readonly Uint8Array[], limits: JobLimits): Promise<Message<Answer>>;
  kill(): Promise<void>;
};

const worker = fileURLToPath(new URL('./worker.ts', import.meta.url));
/** Interval of the memory check, in milliseconds. */
const glance = 50;

/** Starts a process without environment or .env file, so it knows no secrets. */
export function startChild(kind: Kind, idleMs: number): Child {
  const child = Bun.spawn([process.execPath, worker, kind, String(idleMs)], {
    cwd: dirname(worker),
    env: {},
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'ignore',
  });
  // An idle process must not keep the server from exiting.
  child.unref();
  let alive = true;
  let ready = false;
  let verdict: Why | undefined;
  let current:
    | { resolve: (message: Message<Answer>) => void; reject: (failure: PictureFailure) => void }
    | undefined;

  const stop = (why?: Why) => {
    verdict ??= why;
    alive = false;
    child.kill('SIGKILL');
  };
  const fail = (why: Why, detail?: string) => {
    current?.reject(new PictureFailure(why, detail));
    current = undefined;
  };
  const gone = child.exited.then((code) => {
    alive = false;
    // Code 0 is an idle exit, and one before `ready` a failed start: neither is the job's fault.
    fail(
      verdict ?? (code === 0 ? 'rested' : ready ? 'died' : 'busy'),
      `the process ended with ${child.signalCode ?? code}`,
    );
  });

  const read = unpack(({ head, files }) => {
    const answer = answers.parse(head);
    if ('ready' in answer) ready = true;
    else if ('refused' in answer) fail(answer.refused, answer.message);
    else if ('failed' in answer) fail('failed', answer.failed);
    else {
      current?.resolve({ head: answer, files });
      current = undefined;
    }
  });
  void (async () => {
    try {
      for await (const chunk of child.stdout) read(chunk);
    } catch {
      stop('died');
    }
  })();

  return {
    get pid() {
      return child.pid;
    },
    get alive() {
      return alive;
    },
    async run(job, files, { ms, memory }) {
      const { promise, resolve, reject } = Promise.withResolvers<Message<Answer>>();
      current = { resolve, reject };
      const clock = setTimeout(() => stop('tooLong'), ms);
      const scale = setInterval(() => {
        if (memoryOf(child.pid) > memory) stop('tooHeavy');
      }, glance);
      // `exited` reports a failed write. Not awaited: a dead pipe may never answer.
      const write = async () =>
        Promise.all([
          child.stdin.write(pack({ head: job, files: [...files] })),
          child.stdin.flush(),
        ]);
      write().catch(() => stop());
      try {
        return await promise;
      } finally {
        clearTimeout(clock);
        clearInterval(scale);
        // Core and memory must be free before the next job.
        if (!alive) await gone;
      }
    },
    async kill() {
      stop('busy');
      await gone;
    },
  };
}

/** Resident memory in bytes; 0 outside Linux. */
function memoryOf(pid: number): number {
  try {
    return (
      1024 *
      Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
    );
  } catch {
    return 0;
  }
}
