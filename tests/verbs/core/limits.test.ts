import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { countAttempt, countOf, giveBack, type Limit, tryCount } from '../../../api/core/limits.ts';
import { forgetOldRows } from '../../../api/upkeep/forget.ts';
import { schema } from '../../../db/client.ts';
import { testApp } from '../../support/app.ts';
import { outcomes, refused } from '../../support/refusals.ts';

const market = await testApp();
beforeEach(() => market.reset({ accounts: true }));
const attempt = (key = 'sign-in:account:x', db = market.db) =>
  countAttempt(market.job('x', db), key, 3, 900);

describe('a limit of attempts', () => {
  test('lets so many through in a window and refuses the next', async () => {
    for (let n = 0; n < 3; n++) await attempt();
    await refused(attempt(), 'auth.tooManyAttempts');
  });

  test('slides: each attempt makes room for another one when it is as old as the window', async () => {
    for (let n = 0; n < 3; n++) {
      await attempt();
      market.clock.advance({ minutes: 5 });
    }
    // 15 minutes after the first attempt, 10 and 5 after the others.
    await attempt();
    expect(await refused(attempt(), 'auth.tooManyAttempts')).toMatchObject({ retryAfter: 300 });
    market.clock.advance({ minutes: 4, seconds: 59, milliseconds: 999 });
    await refused(attempt(), 'auth.tooManyAttempts');
    market.clock.advance({ milliseconds: 1 });
    await attempt();
    await refused(attempt(), 'auth.tooManyAttempts');
  });

  test('no window of its length ever holds more, also around the moment when another begins', async () => {
    for (let n = 0; n < 3; n++) await attempt();
    market.clock.advance({ minutes: 14, seconds: 59 });
    await refused(attempt(), 'auth.tooManyAttempts');
    market.clock.advance({ seconds: 1 });
    for (let n = 0; n < 3; n++) await attempt();
    market.clock.advance({ seconds: 1 });
    await refused(attempt(), 'auth.tooManyAttempts');
  });

  test('is not prolonged by attempts that were refused', async () => {
    for (let n = 0; n < 3; n++) await attempt();
    for (let n = 0; n < 5; n++) {
      market.clock.advance({ minutes: 2 });
      await refused(attempt(), 'auth.tooManyAttempts');
    }
    market.clock.advance({ minutes: 5 });
    await attempt();
  });

  test('counts each key by itself', async () => {
    for (let n = 0; n < 3; n++) await attempt();
    await attempt('sign-in:account:y');
  });

  test('of ten attempts at once on two pools lets exactly three through, also when they are the very first', async () => {
    const other = market.database.another({ max: 10 });
    for (let round = 0; round < 80; round++) {
      const ended = await outcomes(
        Array.from({ length: 10 }, (_, n) =>
          attempt(`burst ${round}`, n % 2 ? other.db : market.db),
        ),
      );
      expect(ended.filter((end) => end === 'kept')).toHaveLength(3);
    }
  });
});

describe('an attempt that is given back', () => {
  test('makes room for itself alone, once', async () => {
    await attempt();
    market.clock.advance({ seconds: 1 });
    const own = await attempt();
    market.clock.advance({ seconds: 1 });
    await attempt();
    const key = 'sign-in:account:x';
    for (let n = 0; n < 3; n++) await giveBack(market.job('x'), key, own);
    expect(await countOf(market.job('x'), key, 900)).toBe(2);
    await attempt();
    await refused(attempt(), 'auth.tooManyAttempts');
  });

  test('of twenty at one moment takes back one', async () => {
    const ctx = market.job('x');
    const at = await Promise.all(
      Array.from({ length: 20 }, () => countAttempt(ctx, 'crowd', 20, 900)),
    );
    await Promise.all(at.slice(0, 7).map((moment) => giveBack(ctx, 'crowd', moment)));
    expect(await countOf(ctx, 'crowd', 900)).toBe(13);
  });
});

test('limits of several windows, gifts back and clocks that jump agree with a list of moments', async () => {
  const limits: Limit[] = [
    { max: 2, seconds: 10 },
    { max: 4, seconds: 60 },
  ];
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.constant('try' as const) },
    { weight: 2, arbitrary: fc.constant('back' as const) },
    { weight: 5, arbitrary: fc.integer({ min: 0, max: 20_000 }) },
    { weight: 1, arbitrary: fc.constantFrom(-500, -3_600_000, 3_600_000) },
  );
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const key = `model ${round++}`;
      let hits: number[] = [];
      const counted: number[] = [];
      for (const what of steps) {
        const now = market.clock.now().getTime();
        const inWindow = (seconds: number) =>
          hits.filter((hit) => hit > now - seconds * 1000 && hit <= now + 60_000);
        if (typeof what === 'number') market.clock.advance({ milliseconds: what });
        else if (what === 'try') {
          const fits = limits.every(({ max, seconds }) => inWindow(seconds).length < max);
          const { at, waitMs } = await tryCount(market.job('x'), key, limits);
          expect(at !== undefined).toBe(fits);
          if (at === undefined) expect(waitMs).toBeGreaterThan(0);
          else {
            hits = [...inWindow(60), at];
            counted.push(at);
          }
        } else {
          const at = counted.pop();
          if (at === undefined) continue;
          await giveBack(market.job('x'), key, at);
          const place = hits.indexOf(at);
          if (place >= 0) hits.splice(place, 1);
        }
      }
      expect(await countOf(market.job('x'), key, 60)).toBe(
        hits.filter(
          (hit) =>
            hit > market.clock.now().getTime() - 60_000 &&
            hit <= market.clock.now().getTime() + 60_000,
        ).length,
      );
    }),
    { numRuns: 60 },
  );
});

test('rows that nothing asks for any more go after two days, and no others', async () => {
  const {
    rateLimit,
    verification,
    pendingSignUps,
    signUpLinks,
    signInLinks,
    session,
    user,
    contactRequests,
    products,
  } = schema;
  const day = (n: number) => new Date(market.clock.now().getTime() + n * 86_400_000);
  await market.db.insert(user).values({ id: 'u', name: 'u', email: 'u@example.test' });
  const [product] = await market.db.insert(products).values({ slug: 'p' }).returning();
  const productId = product?.id as string;
  for (const [name, at] of [
    ['old', day(-2.01)],
    ['fresh', day(-1.99)],
  ] as const) {
    await market.db
      .insert(rateLimit)
      .values({ id: name, key: name, hits: [], lastRequest: at.getTime() });
    await market.db
      .insert(verification)
      .values({ id: name, identifier: name, value: 'u', expiresAt: at });
    await market.db
      .insert(signUpLinks)
      .values({ tokenHash: name, email: 'u@example.test', createdAt: at, expiresAt: at });
    await market.db
      .insert(signInLinks)
      .values({ tokenHash: name, userId: 'u', createdAt: at, expiresAt: at });
    await market.db.insert(session).values({ id: name, token: name, userId: 'u', expiresAt: at });
    await market.db
      .insert(contactRequests)
      .values({ visitor: name, addressHash: 'a', productId, requestedAt: at });
  }
  // A pending sign-up holds a stranger's data: it goes when its last link expires, not two days
  // later.
  for (const [name, expiresAt] of [
    ['Over', day(0)],
    ['Waiting', day(0.01)],
  ] as const)
    await market.db.insert(pendingSignUps).values({
      email: 'p@example.test',
      passwordHash: 'x',
      name,
      language: 'en',
      createdAt: day(-1),
      expiresAt,
    });
  // Questions count for an hour.
  for (const [a, hours] of [
    [3, -2.01],
    [4, -1.99],
  ] as const) {
    const askedAt = day(hours / 24);
    const question = { kind: 'sum', a, b: 2 } as const;
    const asked = {
      id: crypto.randomUUID(),
      addressHash: 'a',
      visitor: 'v',
      looked: false,
      productId,
      question,
      askedAt,
      readyAt: askedAt,
    };
    await market.db.insert(schema.contactChallenges).values(asked);
  }
  expect(await forgetOldRows(market.job('forget-old-rows'))).toBe(8);
  expect(
    (await market.db.select().from(schema.contactChallenges)).map(({ question }) => question),
  ).toMatchObject([{ a: 4 }]);
  expect((await market.db.select().from(pendingSignUps)).map((row) => row.name)).toEqual([
    'Waiting',
  ]);
  expect((await market.db.select().from(signInLinks)).map((row) => row.tokenHash)).toEqual([
    'fresh',
  ]);
  expect((await market.db.select().from(rateLimit)).map((row) => row.id)).toEqual(['fresh']);
  expect((await market.db.select().from(session)).map((row) => row.id)).toEqual(['fresh']);
  expect((await market.db.select().from(contactRequests)).map((row) => row.visitor)).toEqual([
    'fresh',
  ]);
});

test('an attempt that is refused again is not counted again: a flood writes nothing', async () => {
  for (let n = 0; n < 4; n++) await attempt('flood').catch(() => {});
  const rows = () => market.sql`select key, hits::text, last_request from rate_limit`;
  const before = await rows();
  for (let n = 0; n < 20; n++)
    await expect(attempt('flood')).rejects.toMatchObject({
      code: 'auth.tooManyAttempts',
      retryAfter: 900,
    });
  expect(await rows()).toEqual(before);
  market.clock.advance({ seconds: 900 });
  await attempt('flood');
});
