import { type Child, type JobLimits, PictureFailure, startChild } from './child.ts';
import type { Message } from './frames.ts';
import type { Answer, Job, Kind } from './jobs.ts';

export type PoolOptions = {
  kind: Kind;
  atOnce: number;
  mostWaiting: number;
  waitMs: number;
  limits: JobLimits;
  idleMs: number;
};
export type Pool = {
  /**
   * Rejects with a {@link PictureFailure}: `busy` if too many wait or for too long.
   * @param owner runs one job at a time, so one owner cannot take all processes
   */
  run(job: Job, files: readonly Uint8Array[], owner?: string): Promise<Message<Answer>>;
  readonly pids: number[];
  close(): Promise<void>;
};

type Waiting = {
  owner: string | undefined;
  enter: () => void;
  leave: (failure: PictureFailure) => void;
};

export function createPool({
  kind,
  atOnce,
  mostWaiting,
  waitMs,
  limits,
  idleMs,
}: PoolOptions): Pool {
  const children = new Set<Child>();
  const free: Child[] = [];
  const owners = new Set<string>();
  let queue: Waiting[] = [];
  let working = 0;
  let closed = false;

  const mayEnter = (owner: string | undefined) =>
    working < atOnce && !(owner !== undefined && owners.has(owner));
  const begin = (owner: string | undefined) => {
    working++;
    if (owner !== undefined) owners.add(owner);
  };
  const end = (owner: string | undefined) => {
    working--;
    if (owner !== undefined) owners.delete(owner);
    const next = queue.find((waiting) => mayEnter(waiting.owner));
    next?.enter();
  };

  function turn(owner: string | undefined): Promise<void> {
    if (mayEnter(owner)) {
      begin(owner);
      return Promise.resolve();
    }
    if (queue.length >= mostWaiting) throw new PictureFailure('busy', 'too many wait');
    return new Promise((resolve, reject) => {
      const out = () => {
        queue = queue.filter((other) => other !== waiting);
        clearTimeout(patience);
      };
      const leave = (failure: PictureFailure) => {
        out();
        reject(failure);
      };
      const enter = () => {
        out();
        begin(owner);
        resolve();
      };
      const waiting = { owner, enter, leave };
      const patience = Number.isFinite(waitMs)
        ? setTimeout(() => leave(new PictureFailure('busy', 'waited too long')), waitMs)
        : undefined;
      queue.push(waiting);
    });
  }

  async function attempt(
    job: Job,
    files: readonly Uint8Array[],
    again: boolean,
  ): Promise<Message<Answer>> {
    const child = take();
    try {
      return await child.run(job, files, limits);
    } catch (error) {
      if (again && error instanceof PictureFailure && error.why === 'rested')
        return await attempt(job, files, false);
      throw error;
    } finally {
      if (child.alive) free.push(child);
      else children.delete(child);
    }
  }

  function take(): Child {
    if (closed) throw new PictureFailure('busy', 'the market is stopping');
    for (let child = free.pop(); child; child = free.pop()) {
      if (child.alive) return child;
      children.delete(child);
    }
    let child: Child;
    try {
      child = startChild(kind, idleMs);
    } catch (error) {
      throw new PictureFailure('busy', error instanceof Error ? error.message : String(error));
    }
    children.add(child);
    return child;
  }

  return {
    async run(job, files, owner) {
      await turn(owner);
      try {
        return await attempt(job, files, true);
      } finally {
        end(owner);
      }
    },
    get pids() {
      return [...children].filter((child) => child.alive).map((child) => child.pid);
    },
    async close() {
      closed = true;
      for (const { leave } of [...queue])
        leave(new PictureFailure('busy', 'the market is stopping'));
      await Promise.all([...children].map((child) => child.kill()));
    },
  };
}
