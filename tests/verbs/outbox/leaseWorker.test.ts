import { expect, test } from 'vitest';
import { createLeaseWorker, type LeaseWork, type Turn } from '../../../api/outbox/leaseWorker.ts';

type Job = { name: string; turn: Turn; end(more?: boolean): void; fail(): void };

/** A worker over a list of due items, whose looks and items end by hand. */
function bench(options: Partial<LeaseWork<string>> = {}) {
  const due: string[] = [];
  const looks: { limit: number; answer(): void; fail(): void }[] = [];
  const jobs: Job[] = [];
  const failed: string[] = [];
  const worker = createLeaseWorker<string>({
    take: (limit) => {
      const { promise, resolve, reject } = Promise.withResolvers<string[]>();
      const answer = () => resolve(due.splice(0, limit));
      looks.push({ limit, answer, fail: () => reject(new Error('no database')) });
      return promise;
    },
    work: (name, turn) => {
      const { promise, resolve, reject } = Promise.withResolvers<boolean>();
      const fail = () => reject(new Error('no database'));
      jobs.push({ name, turn, end: (more = false) => resolve(more), fail });
      return promise;
    },
    atOnce: 2,
    failed: (part) => failed.push(part),
    ...options,
  });
  const names = () => jobs.map(({ name }) => name);
  return { worker, due, looks, jobs, failed, names };
}

/** Lets every promise that can settle do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Resolves after the timers that are due. */
const nextTimer = () => new Promise((resolve) => setTimeout(resolve, 0));

test('many wake-ups are one look, and one during a look is another after it', async () => {
  const { worker, due, looks, names } = bench();
  for (let n = 0; n < 5; n++) worker.wake();
  expect(looks).toHaveLength(1);
  looks[0]?.answer();
  worker.wake();
  due.push('written during the look');
  await settle();
  expect(looks).toHaveLength(2);
  looks[1]?.answer();
  await settle();
  expect([looks.length, names()]).toEqual([2, ['written during the look']]);
});

test('takes no more than it has places, and looks again when one is free', async () => {
  const { worker, due, looks, jobs, names } = bench();
  due.push('a', 'b', 'c');
  worker.wake();
  looks[0]?.answer();
  await settle();
  worker.wake();
  await settle();
  expect([looks.length, names()]).toEqual([1, ['a', 'b']]);
  jobs[0]?.end();
  await settle();
  expect(looks.map(({ limit }) => limit)).toEqual([2, 1]);
  looks[1]?.answer();
  await settle();
  expect(names()).toEqual(['a', 'b', 'c']);
});

test('looks again after an item that held others back, and not after one that did not', async () => {
  const { worker, due, looks, jobs } = bench({ atOnce: 3 });
  due.push('a', 'b');
  worker.wake();
  looks[0]?.answer();
  await settle();
  jobs[0]?.end(false);
  await settle();
  expect(looks).toHaveLength(1);
  jobs[1]?.end(true);
  await settle();
  expect(looks).toHaveLength(2);
});

test('an item learns of looks since it was taken', async () => {
  const { worker, due, looks, jobs } = bench();
  due.push('a');
  worker.wake();
  looks[0]?.answer();
  await settle();
  expect(jobs[0]?.turn.lookedSince()).toBe(false);
  worker.wake();
  looks[1]?.answer();
  await settle();
  expect(jobs[0]?.turn.lookedSince()).toBe(true);
});

test('slow parts leave their places to other items, up to a limit of their own', async () => {
  const { worker, due, looks, jobs, names } = bench({ atOnce: 1, asideAtOnce: 1 });
  const slow = Promise.withResolvers<void>();
  due.push('photo', 'text', 'second photo');
  worker.wake();
  looks[0]?.answer();
  await settle();
  const aside = jobs[0]?.turn.aside(() => slow.promise);
  await settle();
  looks[1]?.answer();
  await settle();
  expect(names()).toEqual(['photo', 'text']);
  expect(jobs[1]?.turn.aside(() => Promise.reject(new Error('called')))).toBeUndefined();
  slow.resolve();
  await aside;
  // Two items share one place now: none is taken until both have ended.
  jobs[0]?.end();
  await settle();
  expect(looks).toHaveLength(2);
  jobs[1]?.end();
  await settle();
  looks[2]?.answer();
  await settle();
  expect(names()).toEqual(['photo', 'text', 'second photo']);
});

test('a failed look waits for the next wake-up; a failed item looks again', async () => {
  const { worker, due, looks, jobs, failed } = bench();
  worker.wake();
  looks[0]?.fail();
  await settle();
  expect([looks.length, failed]).toEqual([1, ['take']]);
  due.push('a');
  worker.wake();
  looks[1]?.answer();
  await settle();
  jobs[0]?.fail();
  await settle();
  expect([looks.length, failed]).toEqual([3, ['take', 'work']]);
});

test('wakes by an alarm', async () => {
  const { worker, looks } = bench();
  worker.wakeLater(0);
  await nextTimer();
  expect(looks).toHaveLength(1);
});

test('is idle when the last item has ended, found by whichever look', async () => {
  const { worker, due, looks, jobs } = bench();
  let idle = false;
  due.push('a');
  worker.wake();
  const ended = worker.idle().then(() => {
    idle = true;
  });
  looks[0]?.answer();
  await settle();
  jobs[0]?.end(true);
  await settle();
  expect(idle).toBe(false);
  looks[1]?.answer();
  await ended;
});

test('a stop waits for items in progress, takes no more and ignores alarms', async () => {
  const { worker, due, looks, jobs } = bench();
  due.push('a', 'b', 'c');
  worker.wake();
  looks[0]?.answer();
  await settle();
  let stopped = false;
  const stop = worker.stop().then(() => {
    stopped = true;
  });
  jobs[0]?.end(true);
  await settle();
  expect([stopped, jobs[1]?.turn.signal.aborted]).toEqual([false, false]);
  jobs[1]?.end(true);
  await stop;
  worker.wake();
  worker.wakeLater(0);
  await nextTimer();
  expect([looks.length, due]).toEqual([1, ['c']]);
});

test('with a limit, a stop aborts items that do not end', async () => {
  const { worker, due, looks, jobs } = bench({ stopMs: 0 });
  due.push('a');
  worker.wake();
  looks[0]?.answer();
  await settle();
  const { turn, end } = jobs[0] as Job;
  turn.signal.addEventListener('abort', () => end());
  await worker.stop();
  expect(turn.signal.aborted).toBe(true);
});
