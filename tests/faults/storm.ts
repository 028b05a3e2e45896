import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Act, type Asked, finishPurchases, type Promised, type World, type Writer } from './acts.ts';
import { type Answer, endOneBackend, type Person, type Place } from './place.ts';

export type Options = { acts: readonly Act[]; seed: number; seconds: number; kills: number; writers?: number; say?: (text: string) => void };
/** What came of a storm: how much there was of it, and what was found afterwards. */
export type Outcome = {
  seed: number;
  kills: number;
  ended: number;
  requests: number;
  acknowledged: number;
  /** How often an act was acknowledged, by its name. */
  of: Record<string, number>;
  /** Requests that got no answer, or one that they may be repeated. */
  cutOff: number;
  refusals: Record<string, number>;
  violations: string[];
  lost: string[];
};

/** Random numbers that are the same for the same seed. */
function diceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What a person with a browser would never be told, whatever they do at these doors. */
const impossible = new Set([400, 401, 404, 405, 429]);

/**
 * Lets writers loose on a place while its server is killed and its connections are ended, each write repeated with its key until it is acknowledged;
 * then holds what was acknowledged, and every rule of the ledger and the board, against the database.
 */
export async function storm(place: Place, { acts, seed, seconds, kills, writers: count = 16, say = () => {} }: Options): Promise<Outcome> {
  const outcome: Outcome = { seed, kills: 0, ended: 0, requests: 0, acknowledged: 0, of: {}, cutOff: 0, refusals: {}, violations: [], lost: [] };
  const dice = diceOf(seed);
  const people: Person[] = [];
  for (let n = 0; n < count / 2; n++) people.push(await place.signUp(`writer${n}`));
  const writers = people
    .flatMap((person) => [person, { ...person, jar: person.jar.copy() }])
    .map((person, n): Writer => ({ ...person, n, posts: [], purchases: [] }));
  const world: World = { admin: place.admin, writers, dice, pick: (list) => list[Math.floor(dice() * list.length)] };
  const promises = new Map(acts.map(({ name }) => [name, new Map<string, string>()]));
  let over = false;

  /** Asks until there is an answer that says what became of it. */
  async function acknowledge({ as, path, method, json }: Asked, key: string): Promise<Answer> {
    for (;;) {
      outcome.requests++;
      try {
        const answer = await place.ask(as, path, { key, ...(method ? { method } : {}), ...(json === undefined ? {} : { json }) });
        if (answer.status < 500) return answer;
        if (answer.status === 500) outcome.violations.push(`${path} was answered 500 ${codeOf(answer)}`);
      } catch {
        // Killed while it was asked, or not yet there again.
      }
      outcome.cutOff++;
      await place.up();
      await pause(5 + Math.random() * 20);
    }
  }

  function keep(act: Act, asked: Asked, answer: Answer, writer: Writer): Promised | undefined {
    if (answer.status < 300) {
      const promised = act.promise(asked, answer, writer);
      promises.get(act.name)?.set(promised.subject, promised.text);
      outcome.of[act.name] = (outcome.of[act.name] ?? 0) + 1;
      outcome.acknowledged++;
      return promised;
    }
    const what = `${answer.status} ${codeOf(answer)}`;
    outcome.refusals[what] = (outcome.refusals[what] ?? 0) + 1;
    if (impossible.has(answer.status)) outcome.violations.push(`${act.name} was refused: ${what}`);
    return undefined;
  }

  async function write(writer: Writer): Promise<void> {
    while (!over) {
      const act = weighted(acts, dice());
      const asked = act.draft(world, writer);
      if (!asked) continue;
      const [key, chance] = [randomUUID(), dice()];
      // Now and then somebody taps twice, which is two requests; or the answer is lost on its way, which is the same one again.
      const [answer, other] = await Promise.all([
        acknowledge(asked, key),
        chance < 0.1 && act.name === 'respond' ? acknowledge(asked, randomUUID()) : undefined,
      ]);
      const promised = keep(act, asked, answer, writer);
      if (other) keep(act, asked, other, writer);
      if (promised && chance > 0.85) {
        const again = act.promise(asked, await acknowledge(asked, key), { ...writer, posts: [], purchases: [] });
        if (again.text !== promised.text) outcome.violations.push(`${act.name} was answered “${promised.text}”, and “${again.text}” when it was repeated`);
      }
    }
  }

  /** Ends connections one by one as writes are acknowledged, and kills the server when it is time. */
  async function trouble(): Promise<void> {
    const began = performance.now();
    const elapsed = () => (performance.now() - began) / 1000;
    let calm = 0;
    for (let kill = 1; kill <= kills + 1; kill++) {
      const [since, due] = [outcome.acknowledged, (seconds * (kill - dice() / 2)) / (kills + 1)];
      while (elapsed() < due || outcome.acknowledged < since + count) {
        // Not before something was acknowledged since the last one: a storm in which nothing gets through tests nothing.
        if (outcome.acknowledged >= calm && (await endOneBackend(place.sql))) {
          outcome.ended++;
          calm = outcome.acknowledged + 3;
        }
        await pause(10 + Math.random() * 30);
      }
      if (kill > kills) return;
      await place.killAndRestart();
      outcome.kills++;
      // What one may do within an hour would end a long storm.
      await place.sql`delete from rate_limit`;
      say(`${outcome.kills} kills, ${outcome.ended} connections ended, ${outcome.acknowledged} acknowledged`);
    }
  }

  const troubled = trouble().finally(() => {
    over = true;
  });
  await Promise.all([troubled, ...writers.map(write)]);
  await finishPurchases(place.sql, (person) => place.ask(person, '/api/credits/purchases'), people);
  await reckon(place, outcome, acts, promises);
  return outcome;
}

/** Holds what was promised, and the rules, against what is there. */
export async function reckon(
  { sql, command }: Pick<Place, 'sql' | 'command'>,
  outcome: Pick<Outcome, 'violations' | 'lost'>,
  acts: readonly Act[],
  promises: ReadonlyMap<string, ReadonlyMap<string, string>>,
): Promise<void> {
  for (const { name, kept, exact } of acts) {
    const there = new Set(await kept(sql));
    const promised = new Set(promises.get(name)?.values());
    outcome.lost.push(...[...promised].filter((text) => !there.has(text)).map((text) => `${name} ${text}`));
    if (exact) outcome.violations.push(...[...there].filter((text) => !promised.has(text)).map((text) => `${name} ${text} was never acknowledged`));
  }
  const late =
    await sql`select id from credit_purchases where status = 'pending' and purchase_method <> 'cash_partner' and created_at < now() - interval '10 seconds'`;
  outcome.violations.push(...late.map(({ id }) => `purchase ${id} was paid and never completed`));
  const check = await command('api/checkMarket.ts');
  const broken = [...check.said.matchAll(/^✗ (\w+)/gm)].map(([, name]) => String(name));
  outcome.violations.push(...(check.code !== 0 && broken.length === 0 ? [`check: ${check.said}`] : broken));
}

/** The line that a run ends with. */
export const summary = ({ kills, requests, acknowledged, violations, lost }: Outcome): string =>
  `${kills} kills, ${requests} requests, ${acknowledged} acknowledged, ${violations.length} violations, ${lost.length} lost`;

const codeOf = ({ body }: Answer) => String((body.error as { code?: string } | undefined)?.code);

function weighted(acts: readonly Act[], chance: number): Act {
  let left = chance * acts.reduce((sum, { weight }) => sum + weight, 0);
  const found = acts.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  if (!found) throw new Error('There is nothing to do');
  return found;
}
