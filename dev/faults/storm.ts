import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { diceOf, weighted } from '../testbed/dice.ts';
import type { Testbed, Victim } from '../testbed/market.ts';
import type { Answer, Person } from '../testbed/people.ts';
import {
  type Act,
  type Asked,
  finishPurchases,
  type Promised,
  type World,
  type Writer,
} from './acts.ts';
import { look } from './marketActs.ts';
import { finishMessages, type Outcome, type Promises, reckon } from './reckon.ts';

type Kills = Partial<Record<Victim, number>>;
/** `listed`: products in stalls or waiting before the first kill. */
export type Options = {
  acts: readonly Act[];
  seed: number;
  seconds: number;
  kills: Kills;
  writers?: number;
  listed?: number;
  say?: (text: string) => void;
};
export const promisesOf = (acts: readonly Act[]): Promises =>
  new Map(acts.map(({ name }) => [name, { texts: [], last: new Map(), unheard: 0 }]));

/** Statuses a browser user could never get on these routes. */
const impossible = new Set([400, 401, 404, 405, 429]);
/** Allowed: another writer has removed the subject meanwhile. */
const gone = new Set(['queue.notFound', 'products.notFound', 'contact.notAvailable']);
/** A failing contact always reads the same (product §8). */
const failing = new Set(['contact.failed', 'contact.lookupFailed']);

/**
 * Runs writers on a test bed while it is hurt, repeating each write until acknowledged; then counts.
 */
export async function storm(
  testbed: Testbed,
  { acts, seed, seconds, kills, writers: count = 32, listed = 0, say = () => {} }: Options,
): Promise<Outcome> {
  const outcome: Outcome = {
    seed,
    kills: { server: 0, postgres: 0, backend: 0 },
    ...{ requests: 0, acknowledged: 0, of: {}, cutOff: 0, refusals: {}, violations: [], lost: [] },
  };
  const dice = diceOf(seed);
  const people: Person[] = [];
  for (let n = 0; n < count / 2; n++) people.push(await testbed.signUp(`writer${n}`));
  const writers = people
    .flatMap((person) => [person, { ...person, jar: person.jar.copy() }])
    .map((person, n): Writer => ({ ...person, n, posts: [], purchases: [], photos: [], said: 0 }));
  const seen = await look(testbed.sql);
  const world: World = {
    admin: testbed.admin,
    writers,
    dice,
    pick: (list) => list[Math.floor(dice() * list.length)],
    seen,
  };
  const promises = promisesOf(acts);
  const opening = acts.filter(({ name }) => ['upload', 'submit', 'approve'].includes(name));
  const isFull = () => world.seen.listed >= listed;
  let over = false;

  /** Repeats a request until its answer tells the outcome. */
  async function acknowledge(
    act: Act,
    { as, path, ...request }: Asked,
    key: string,
  ): Promise<Answer> {
    const held = promises.get(act.name);
    for (;;) {
      outcome.requests++;
      try {
        const answer = await testbed.ask(as, path, { key, ...request });
        if (answer.status < 500) return answer;
        if (answer.status === 500 && !failing.has(codeOf(answer)))
          outcome.violations.push(`${path} was answered 500 ${codeOf(answer)}`);
      } catch {
        // The server was killed during the request, or is still down.
      }
      outcome.cutOff++;
      if (held) held.unheard++;
      await testbed.up();
      await pause(20 + Math.random() * 80);
    }
  }

  function keep(act: Act, asked: Asked, answer: Answer, writer: Writer): Promised | undefined {
    if (answer.status < 300) {
      const promised = act.promise(asked, answer, writer);
      const held = promises.get(act.name);
      held?.texts.push(promised.text);
      held?.last.set(promised.subject, promised.text);
      outcome.of[act.name] = (outcome.of[act.name] ?? 0) + 1;
      outcome.acknowledged++;
      return promised;
    }
    const what = `${answer.status} ${codeOf(answer)}`;
    outcome.refusals[what] = (outcome.refusals[what] ?? 0) + 1;
    if (impossible.has(answer.status) && !gone.has(codeOf(answer)))
      outcome.violations.push(`${act.name} was refused: ${what}`);
    return undefined;
  }

  async function write(writer: Writer): Promise<void> {
    while (!over) {
      const act = weighted(isFull() ? acts : opening, dice());
      const asked = act.draft(world, writer);
      if (!asked) {
        // Idle for the moment: yields to the other writers.
        await pause(1);
        continue;
      }
      const [key, chance] = [randomUUID(), dice()];
      // Sometimes sends a double tap (two requests), or repeats one whose answer was lost.
      const [answer, other] = await Promise.all([
        acknowledge(act, asked, key),
        chance < 0.1 && act.name === 'respond' ? acknowledge(act, asked, randomUUID()) : undefined,
      ]);
      const promised = keep(act, asked, answer, writer);
      if (other) keep(act, asked, other, writer);
      if (promised && chance > 0.85 && act.held !== 'counted') {
        const again = act.promise(asked, await acknowledge(act, asked, key), {
          ...writer,
          posts: [],
          purchases: [],
        });
        if (again.text !== promised.text)
          outcome.violations.push(
            `${act.name} was answered “${promised.text}”, and “${again.text}” when it was repeated`,
          );
      }
    }
  }

  /** Refreshes the writers' view of the market, also while the database is down. */
  async function watch(): Promise<void> {
    while (!over) {
      world.seen = await look(testbed.sql).catch(() => world.seen);
      await pause(250);
    }
  }

  /** Kills one target after another, each once the market is up and has acknowledged a write. */
  async function trouble(): Promise<void> {
    while (!isFull()) await pause(50);
    const until = performance.now() + seconds * 1000;
    const left: Victim[] = Object.entries(kills).flatMap(([victim, times]) =>
      Array(times).fill(victim),
    );
    while (performance.now() < until && (left.length > 0 || Object.keys(kills).length === 0)) {
      const [victim] = left.splice(Math.floor(dice() * left.length), 1);
      // Without acknowledged writes in between, a storm tests nothing.
      const enough = outcome.acknowledged + 1 + Math.floor(dice() * (victim === 'backend' ? 3 : 6));
      while (outcome.acknowledged < enough && performance.now() < until) await pause(5);
      await pause(dice() * 150);
      if (!victim) continue;
      while (performance.now() < until) {
        if (await testbed.kill[victim]?.().catch(() => false)) {
          outcome.kills[victim]++;
          break;
        }
        await pause(3);
      }
      // Sometimes kills again during the restart.
      if (victim === 'backend' || dice() < 0.65) await testbed.up();
      else await pause(dice() * 1500);
      // The hourly limits would end a long storm.
      await testbed.sql`delete from rate_limit`.catch(() => {});
      say(`${summaryOf(outcome.kills)}, ${outcome.acknowledged} acknowledged`);
    }
  }

  const troubled = trouble().finally(() => {
    over = true;
  });
  await Promise.all([troubled, watch(), ...writers.map(write)]);
  await testbed.up();
  await finishPurchases(
    testbed.sql,
    (person) => testbed.ask(person, '/api/credits/purchases'),
    people,
  );
  await finishMessages(testbed, outcome);
  await reckon(testbed, outcome, acts, promises);
  outcome.violations.push(...testbed.ended.map((words) => `the server ended by itself: ${words}`));
  return outcome;
}

const summaryOf = ({ server, postgres, backend }: Outcome['kills']): string =>
  `${server + postgres + backend} kills (${server} of the server, ${postgres} of Postgres, ${backend} of backends)`;

export const summary = ({ kills, requests, acknowledged, violations, lost }: Outcome): string =>
  `${summaryOf(kills)}, ${requests} requests, ${acknowledged} acknowledged, ${violations.length} violations, ${lost.length} lost`;

const codeOf = ({ body }: Answer) => String((body.error as { code?: string } | undefined)?.code);
