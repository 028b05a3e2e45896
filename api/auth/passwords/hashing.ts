import { AsyncLocalStorage } from 'node:async_hooks';
import { availableParallelism } from 'node:os';
import { Refusal } from '../../shared/errors.ts';

/** `lane` is the keyed hash of the request's address. */
type Asker = { lane: string; signal?: AbortSignal };
type Job = { start(): Promise<void>; drop(): void };
type Bounds = { running: number; perLane: number; all: number };

const asker = new AsyncLocalStorage<Asker>();
/** Lane of hashes that are never refused: jobs, commands, {@link hashingAtOnce}. */
const ownLane = 'own';
/** Seconds; a full lane of 32 hashes at 25 ms clears in less. */
const retryAfter = 2;

export const hashingFor = <T>(request: Asker, work: () => T): T => asker.run(request, work);

/** Runs work whose hashes are never refused: it uses up a link or code, or no outsider can start it. */
export const hashingAtOnce = <T>(work: () => T): T => asker.run({ lane: ownLane }, work);

/**
 * Queue of password hashes (decision 059). Lanes, one per network address, take turns: a flood from
 * one delays another by one hash. A full lane refuses with `auth.busy`; a full queue drops the
 * newest job of the longest lane.
 */
export function createHashing({ running, perLane, all }: Bounds) {
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

  /** Drops the newest job of the longest lane; false if none is longer than this one. */
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

  /** Refuses `auth.busy`. */
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
  return { run, running, waiting: () => waiting };
}

const busy = () => new Refusal('auth.busy', {}, [], { retryAfter });

/**
 * Bun hashes on the threads that read files, one per processor: one stays free for pages and
 * photos. 256 hashes of 25 ms take 6.4 s on one thread, below a request's deadline.
 */
export const hashing = createHashing({
  running: Math.max(1, availableParallelism() - 1),
  perLane: 32,
  all: 256,
});
