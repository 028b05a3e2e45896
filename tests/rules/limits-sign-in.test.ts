import { describe, expect, test } from 'vitest';
import {
  type Keys,
  limits,
  type Passed,
  pass,
  type Store,
  type Visit,
} from '../../api/auth/gate.ts';
import type { Limit } from '../../api/core/limits.ts';

/**
 * Simulates decision 059's table for sign-in and mail: a town and attackers, on counters in memory.
 */
const minute = 60_000;
const hour = 60 * minute;

/** api/core/limits.ts in memory; limits.test.ts checks that Postgres counts alike. */
function memory(): Store & { now: number } {
  const hits = new Map<string, number[]>();
  const of = (key: string) => {
    const list = hits.get(key) ?? [];
    hits.set(key, list);
    return list;
  };
  const store = {
    now: 0,
    async tryCount(key: string, given: readonly Limit[]) {
      const list = of(key);
      for (const { max, seconds } of given) {
        // The attempt that must leave the window before another fits.
        const blocking = list.at(-max);
        if (list.length >= max && blocking !== undefined && blocking > store.now - seconds * 1000)
          return { waitMs: 1 };
      }
      list.push(store.now);
      if (list.length > 1200) list.splice(0, 400);
      return { at: store.now };
    },
    async giveBack(key: string, at: number) {
      const list = of(key);
      const place = list.lastIndexOf(at);
      if (place >= 0) list.splice(place, 1);
    },
    async countOf(key: string, seconds: number) {
      return of(key).filter((hit) => hit > store.now - seconds * 1000).length;
    },
    async waitFor(key: string, given: readonly Limit[]) {
      const list = of(key);
      const waits = given.map(({ max, seconds }) =>
        list.length < max ? 0 : (list.at(-max) ?? 0) + seconds * 1000 - store.now,
      );
      return Math.max(0, ...waits);
    },
  };
  return store;
}

const keysOf = (address: string, account: string, device?: string): Keys => ({
  pair: `${account} ${address}`,
  account,
  address,
  letters: `letters ${address}`,
  device,
});
type Seen = { asked: number; refused: number; through: number };
const nothingSeen = (): Seen => ({ asked: 0, refused: 0, through: 0 });

/** One request of a person who answers any question. */
async function go(
  store: Store,
  keys: Keys,
  visit: Omit<Visit, 'answered'>,
  seen: Seen,
  solves = true,
): Promise<Passed> {
  let passed = await pass(store, keys, { ...visit, answered: false });
  if (passed.kind === 'question') {
    seen.asked++;
    if (solves) passed = await pass(store, keys, { ...visit, answered: true });
  }
  seen[passed.kind === 'counted' ? 'through' : 'refused']++;
  return passed;
}
const password = { tries: true, mail: false };
const mail = { tries: false, mail: true };

async function right(store: Store, keys: Keys, seen: Seen): Promise<void> {
  const passed = await go(store, keys, password, seen);
  if (passed.kind === 'counted')
    for (const { key, at } of passed.counts) await store.giveBack(key, at);
}

/** Reproducible random numbers. */
function dice(seed = 7): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/**
 * A market day's hour of 5,000 people behind one address: 1,000 sign in, 70 % of them on a known
 * device; 15 % mistype once or twice; 60 forgot the password, and 40 sign up.
 * @param beside other traffic of that address, called each minute
 */
async function town(
  beside: (store: ReturnType<typeof memory>, at: number) => Promise<unknown> = async () => {},
) {
  const store = memory();
  const chance = dice();
  const known = nothingSeen();
  const fresh = nothingSeen();
  const letters = nothingSeen();
  const signUps = nothingSeen();
  for (let at = 0; at < 2 * 60; at++) {
    store.now = at * minute;
    await beside(store, at);
    // The first hour only fills the counters that the second one meets.
    const [knownNow, freshNow, lettersNow, signUpsNow] =
      at < 60
        ? [nothingSeen(), nothingSeen(), nothingSeen(), nothingSeen()]
        : [known, fresh, letters, signUps];
    for (let n = 0; n < 1000 / 60; n++) {
      store.now += minute / 20;
      const person = `person ${Math.floor(chance() * 5000)}`;
      const device = chance() < 0.7 ? `device of ${person}` : undefined;
      const keys = keysOf('town', person, device);
      const seen = device ? knownNow : freshNow;
      if (chance() < 0.15)
        for (let wrong = chance() < 0.7 ? 1 : 2; wrong > 0; wrong--)
          await go(store, keys, password, seen);
      await right(store, keys, seen);
    }
    await go(store, keysOf('town', `forgot ${at}`), mail, lettersNow);
    if (at % 3 > 0)
      await go(store, keysOf('town', `new ${at}`), { tries: true, mail: true }, signUpsNow);
  }
  return { known, fresh, letters, signUps };
}

/**
 * Wrong passwords judged, for so many addresses and hours; each address tries until it is refused.
 */
async function guesses({
  addresses,
  accounts,
  hours,
  solves,
  step = 15,
}: {
  addresses: number;
  accounts: number;
  hours: number;
  solves: boolean;
  step?: number;
}) {
  const store = memory();
  const seen = nothingSeen();
  let next = 0;
  for (store.now = 0; store.now < hours * hour; store.now += step * minute) {
    for (let address = 0; address < addresses; address++) {
      for (;;) {
        const keys = keysOf(
          `address ${address}`,
          `account ${accounts === 1 ? 0 : next++ % accounts}`,
        );
        if ((await go(store, keys, password, seen, solves)).kind !== 'counted') break;
      }
    }
  }
  return seen.through;
}

/** An attacker at the town's address: forty passwords and mails a minute. */
const loops =
  (solves: boolean, visits: readonly Omit<Visit, 'answered'>[]) =>
  async (store: Store, at: number) => {
    const seen = nothingSeen();
    for (let n = 0; n < 40; n++)
      for (const visit of visits)
        await go(store, keysOf('town', `nobody ${at} ${n}`), visit, seen, solves);
  };
const shareOf = ({ asked, through, refused }: Seen) => asked / (through + refused);

describe('a town of 5,000 behind one address', () => {
  test('is refused nothing on a market day, and few of its new devices answer a question', async () => {
    const { known, fresh, letters, signUps } = await town();
    expect([known.refused, fresh.refused, letters.refused, signUps.refused]).toEqual([0, 0, 0, 0]);
    expect(known.asked).toBe(0);
    expect(known.through).toBeGreaterThan(800);
    expect(letters.asked).toBe(0);
    for (const seen of [fresh, signUps]) expect(shareOf(seen)).toBeLessThan(0.2);
  });

  test('is refused nothing beside loops that answer no question; known devices are asked nothing', async () => {
    const { known, fresh, letters, signUps } = await town(loops(false, [password, mail]));
    expect([known.refused, fresh.refused, letters.refused, signUps.refused]).toEqual([0, 0, 0, 0]);
    expect(known.asked).toBe(0);
    // One question for each.
    for (const seen of [fresh, letters, signUps])
      expect(seen.asked).toBeLessThanOrEqual(seen.through);
  });

  test('keeps its known devices, and letters for the others, beside a program that answers every question about passwords', async () => {
    const { known, fresh, letters } = await town(loops(true, [password]));
    expect([known.refused, known.asked, letters.refused]).toEqual([0, 0, 0]);
    // The cost: sign-in from new devices waits until the attack ends; a mailed link still works.
    expect(fresh.refused).toBeGreaterThan(0);
  });
});

describe('wrong passwords that are judged', () => {
  test.each([
    // addresses, answers questions, in the first hour, in the first day
    [1, false, 30, 120],
    [1, true, 30, 120],
    [20, false, 60, 1440],
    [20, true, 168, 2400],
    [1000, false, 60, 1440],
    [1000, true, 3108, 5868],
  ])(
    'for one account, of %i addresses, questions answered: %s, are %i in an hour and %i in a day',
    async (addresses, solves, inAnHour, inADay) => {
      expect(await guesses({ addresses, accounts: 1, hours: 1, solves })).toBe(inAnHour);
      expect(
        await guesses({ addresses, accounts: 1, hours: 24, solves, step: addresses > 20 ? 60 : 5 }),
      ).toBe(inADay);
    },
  );

  test.each([
    [1, false, 240],
    [1, true, 600],
    [20, false, 4800],
    [20, true, 12_000],
    [1000, false, 240_000],
  ])(
    'for 5,000 accounts, of %i addresses, questions answered: %s, are %i in an hour',
    async (addresses, solves, inAnHour) => {
      expect(await guesses({ addresses, accounts: 5000, hours: 1, solves })).toBe(inAnHour);
    },
  );

  test('for 5,000 accounts are never more than 120 an hour and three a day and address for each of them', async () => {
    const judged = await guesses({ addresses: 1000, accounts: 50, hours: 1, solves: true });
    expect(judged).toBeLessThanOrEqual(
      50 * (limits.account.most[0].max + limits.reserve.max * 1000),
    );
  });
});

test('the owner of an account that a thousand addresses guess at is let in from home by one question, and from a known device by none', async () => {
  const store = memory();
  const seen = nothingSeen();
  for (let address = 0; address < 1000; address++)
    for (let n = 0; n < 5; n++)
      await go(store, keysOf(`address ${address}`, 'owner'), password, seen);
  expect(seen.refused).toBeGreaterThan(1000);
  for (const [device, asked] of [
    [undefined, 1],
    ['phone', 0],
  ] as const) {
    const own = nothingSeen();
    await right(store, keysOf('home', 'owner', device), own);
    expect(own).toEqual({ asked, refused: 0, through: 1 });
  }
});
