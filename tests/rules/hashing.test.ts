import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHashing, hashingFor } from '../../api/auth/passwords/hashing.ts';
import { Refusal } from '../../api/shared/errors.ts';

/** A queue whose hashes end when the test says, listed in the order they began. */
function queue({ running = 1, perLane = 4, all = 12 } = {}) {
  const hash = createHashing({ running, perLane, all }).run;
  const begun: string[] = [];
  const ended: string[] = [];
  const refused: string[] = [];
  const open: (() => void)[] = [];
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    begun,
    ended,
    refused,
    ask(name: string, lane: string, signal?: AbortSignal) {
      const hold = () => {
        begun.push(name);
        return new Promise<void>((resolve) => open.push(resolve));
      };
      const work = () => hash(hold);
      const answer =
        lane === 'own' ? work() : hashingFor({ lane, ...(signal ? { signal } : {}) }, work);
      answer.then(
        () => ended.push(name),
        (error) => {
          expect(error).toBeInstanceOf(Refusal);
          expect(error).toMatchObject({ code: 'auth.busy', status: 503, retryAfter: 2 });
          refused.push(name);
        },
      );
    },
    async finish(times = 1) {
      for (let n = 0; n < times; n++) {
        open.shift()?.();
        await settle();
      }
    },
    settle,
  };
}
const many = (q: ReturnType<typeof queue>, lane: string, count: number) => {
  for (let n = 0; n < count; n++) q.ask(`${lane}${n}`, lane);
};

describe('the queue of password hashes', () => {
  test('lets lanes take turns: an owner elsewhere waits for the one that runs, and for no flood', async () => {
    const q = queue({ perLane: 10, all: 100 });
    many(q, 'flood', 11);
    q.ask('owner', 'home');
    await q.finish(2);
    expect(q.begun).toEqual(['flood0', 'flood1', 'owner']);
    await q.finish(20);
    expect(q.ended).toHaveLength(12);
  });

  test('refuses what fills a lane, and nobody else', async () => {
    const q = queue({ perLane: 3, all: 100 });
    many(q, 'flood', 6);
    q.ask('owner', 'home');
    await q.settle();
    // One runs, three wait.
    expect(q.refused).toEqual(['flood4', 'flood5']);
    await q.finish(10);
    expect(q.ended).toContain('owner');
  });

  test('that is full takes the newest job of the longest lane for somebody new', async () => {
    const q = queue({ perLane: 4, all: 6 });
    many(q, 'a', 5);
    many(q, 'b', 2);
    q.ask('owner', 'home');
    await q.settle();
    expect(q.refused).toEqual(['a4']);
    // All lanes are short now; otherwise the new one would be as long as the longest.
    many(q, 'home', 3);
    await q.settle();
    expect(q.refused).toEqual(['a4', 'a3', 'home1', 'home2']);
  });

  test('never hashes for a client that has gone, and its place is free at once', async () => {
    const q = queue({ perLane: 2, all: 4 });
    const gone = new AbortController();
    q.ask('first', 'a');
    q.ask('leaves', 'a', gone.signal);
    q.ask('third', 'a');
    gone.abort();
    q.ask('fourth', 'a');
    q.ask('late', 'a', gone.signal);
    await q.finish(5);
    expect([q.begun, q.refused.sort()]).toEqual([
      ['first', 'third', 'fourth'],
      ['late', 'leaves'],
    ]);
  });

  test('does not count what is under way as waiting when its client goes', async () => {
    const q = queue({ perLane: 1, all: 1 });
    const gone = new AbortController();
    q.ask('runs', 'a', gone.signal);
    gone.abort();
    q.ask('next', 'a');
    q.ask('full', 'a');
    await q.finish(3);
    expect([q.begun, q.ended, q.refused]).toEqual([['runs', 'next'], ['runs', 'next'], ['full']]);
  });

  test('refuses nothing to jobs and commands', async () => {
    const q = queue({ perLane: 1, all: 2 });
    many(q, 'a', 2);
    many(q, 'own', 20);
    await q.finish(30);
    expect([q.ended.length, q.refused]).toEqual([22, []]);
  });

  test('goes on after a hash that fails', async () => {
    const hash = createHashing({ running: 1, perLane: 2, all: 2 }).run;
    await expect(hash(async () => Promise.reject(new Error('no memory')))).rejects.toThrow(
      'no memory',
    );
    expect(await hash(async () => 'hashed')).toBe('hashed');
  });

  test('whatever comes and goes, runs no more than it may, ends or refuses each job, and serves a lane within one turn of all', async () => {
    const event = fc.record({
      lane: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      leaves: fc.boolean(),
      finish: fc.integer({ min: 0, max: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 40 }),
        fc.integer({ min: 1, max: 3 }),
        async (events, running) => {
          const q = queue({ running, perLane: 3, all: 8 });
          const clients: AbortController[] = [];
          for (const [n, { lane, leaves, finish }] of events.entries()) {
            const client = new AbortController();
            clients.push(client);
            q.ask(`${lane} ${n}`, lane, client.signal);
            if (leaves) clients[Math.floor(n / 2)]?.abort();
            await q.finish(finish);
            expect(q.begun.length - q.ended.length).toBeLessThanOrEqual(running);
          }
          const before = q.begun.length;
          const waits =
            events.length - q.ended.length - q.refused.length - (before - q.ended.length);
          expect(waits).toBeLessThanOrEqual(8);
          if (waits < 8) {
            q.ask('newcomer', 'elsewhere');
            await q.finish(50);
            // Each of the other five lanes goes first at most once.
            expect(q.begun.indexOf('newcomer') - before).toBeLessThanOrEqual(5);
          }
          await q.finish(60);
          expect(q.ended.length + q.refused.length).toBe(events.length + (waits < 8 ? 1 : 0));
        },
      ),
      { numRuns: 100 },
    );
  });
});
