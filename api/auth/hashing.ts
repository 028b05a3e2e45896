import { AsyncLocalStorage } from 'node:async_hooks';
import { availableParallelism } from 'node:os';
import { Refusal } from '../core/errors.ts';

/** The request that a hash is computed for: its address's keyed hash, and the signal of its connection. */
type Asker = { lane: string; signal?: AbortSignal };
type Job = { start(): Promise<void>; drop(): void };
type Bounds = { running: number; perLane: number; all: number };

const asker = new AsyncLocalStorage<Asker>();
/** Hashes that are never refused: those of jobs and commands, and of {@link hashingAtOnce}. */
const ownLane = 'own';
/** A second at most passes until a lane that was full is served: 32 hashes of 25 ms. */
const retryAfter = 2;

/** Runs something for a request: every password hash inside it waits in the lane of that request's address. */
export const hashingFor = <T>(request: Asker, work: () => T): T => asker.run(request, work);

/** Runs something whose hashes are never refused: it uses up a link, or nobody outside can ask for it. */
export const hashingAtOnce = <T>(work: () => T): T => asker.run({ lane: ownLane }, work);

/**
 * A queue for password hashes (decision 059). Every network address has a lane, and lanes take turns, so that a flood from one
 * address delays another one by a single hash. A lane that is full refuses with `auth.busy`; when the whole queue is full, the
 * longest lane loses its newest job. A job whose client has gone is dropped without being hashed.
 */
export function createHashing({ running, perLane, all }: Bounds) {
  // In the order of their turns.
  const lanes = new Map<string, Job[]>();
  let active = 0;
  let waiting = 0;

  function fill(): void {
    while (active < running) {
      const [next] = lanes;
      if (!next) return;
      const [lane, jobs] = next;
      const job = jobs.shift();
      lanes.delete(lane);
      if (jobs.length > 0) lanes.set(lane, jobs);
      if (!job) continue;
      waiting--;
      active++;
      void job.start().finally(() => {
        active--;
        fill();
      });
    }
  }

  function remove(lane: string, job: Job): boolean {
    const jobs = lanes.get(lane);
    const at = jobs?.indexOf(job) ?? -1;
    if (!jobs || at < 0) return false;
    jobs.splice(at, 1);
    if (jobs.length === 0) lanes.delete(lane);
    waiting--;
    return true;
  }

  /** Makes room in a full queue by the newest job of the longest lane; false where no lane is longer than this one would be. */
  function makeRoom(length: number): boolean {
    const others = [...lanes].filter(([name]) => name !== ownLane);
    const longest = others.reduce<[string, Job[]] | undefined>(
      (most, lane) => (most && most[1].length >= lane[1].length ? most : lane),
      undefined,
    );
    const newest = longest?.[1].at(-1);
    if (!longest || !newest || longest[1].length <= length + 1) return false;
    remove(longest[0], newest);
    newest.drop();
    return true;
  }

  function enter(lane: string, job: Job): void {
    const jobs = lanes.get(lane) ?? [];
    if (lane !== ownLane) {
      if (jobs.length >= perLane) throw busy();
      if (waiting >= all && !makeRoom(jobs.length)) throw busy();
    }
    jobs.push(job);
    waiting++;
    lanes.set(lane, jobs);
    fill();
  }

  /** Computes a hash in its turn. Refuses `auth.busy`. */
  async function run<T>(work: () => Promise<T>): Promise<T> {
    const { lane, signal } = asker.getStore() ?? { lane: ownLane };
    if (signal?.aborted) throw busy();
    return new Promise<T>((resolve, reject) => {
      const job: Job = {
        async start() {
          signal?.removeEventListener('abort', leave);
          await work().then(resolve, reject);
        },
        drop() {
          signal?.removeEventListener('abort', leave);
          reject(busy());
        },
      };
      // The client has gone: only the free place matters, not the answer.
      const leave = () => remove(lane, job) && reject(busy());
      signal?.addEventListener('abort', leave, { once: true });
      try {
        enter(lane, job);
      } catch (error) {
        signal?.removeEventListener('abort', leave);
        reject(error);
      }
    });
  }
  return { run, waiting: () => waiting };
}

const busy = () => new Refusal('auth.busy', {}, [], { retryAfter });

/**
 * The queue of this process. Bun hashes on the threads that it reads files with, one a processor: one of them stays free for pages
 * and photos. 256 waiting hashes of 25 ms take 6.4 s on one thread, below the deadline of a request.
 */
export const hashing = createHashing({
  running: Math.max(1, availableParallelism() - 1),
  perLane: 32,
  all: 256,
});
