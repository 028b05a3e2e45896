import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Message, pack, unpack } from './frames.ts';
import { type Answer, answers, type Job, type Kind } from './jobs.ts';

/** Why a job brought no picture: the file was refused or too much, the process died of it, or the market has no process to spare. */
export type Why =
  | 'notImage'
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

/** What a job may take: milliseconds, and bytes of memory that its process has in use. */
export type JobLimits = { ms: number; memory: number };
export type Child = {
  readonly pid: number;
  readonly alive: boolean;
  /** Does one job. Rejects with a {@link PictureFailure}; a process that was too slow, too large or died is gone then. One at a time. */
  run(job: Job, files: readonly Uint8Array[], limits: JobLimits): Promise<Message<Answer>>;
  /** Ends the process; resolves when it is gone. */
  kill(): Promise<void>;
};

const worker = fileURLToPath(new URL('./worker.ts', import.meta.url));
/** How often its memory is looked at, in milliseconds. */
const glance = 50;

/** Starts a picture process. It gets no environment, so it knows none of the market's secrets, and runs in a folder without a .env file. */
export function startChild(kind: Kind, idleMs: number): Child {
  const child = Bun.spawn([process.execPath, worker, kind, String(idleMs)], {
    cwd: dirname(worker),
    env: {},
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'ignore',
  });
  // An idle process keeps nobody from ending.
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
    // Nothing was wrong with a job that came when the process had just gone to rest, or never began.
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
      // When it cannot be written to it is gone, which says why by itself. Not waited for: a dead pipe may never answer.
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
        // The next one begins when this one has really given back its core and its memory.
        if (!alive) await gone;
      }
    },
    async kill() {
      stop('busy');
      await gone;
    },
  };
}

/** The memory that a process has in use, in bytes, or 0 where the system does not say (only Linux does). */
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
