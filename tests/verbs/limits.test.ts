import { beforeEach, describe, expect, test } from 'vitest';
import { countAttempt } from '../../api/core/limits.ts';
import { forgetOldRows } from '../../api/upkeep/forget.ts';
import { schema } from '../../db/client.ts';
import { testApp } from '../support/app.ts';
import { outcomes, refused } from '../support/refusals.ts';

const market = await testApp();
beforeEach(() => market.reset({ accounts: true }));
const attempt = (key = 'sign-in:account:x', db = market.db) => countAttempt(market.job('x', db), key, 3, 900);

describe('a limit of attempts', () => {
  test('lets so many through in a window and refuses the next', async () => {
    for (let n = 0; n < 3; n++) await attempt();
    await refused(attempt(), 'auth.tooManyAttempts');
  });

  test('opens again when the window that began with the first attempt is over', async () => {
    for (let n = 0; n < 3; n++) await attempt();
    market.clock.advance({ minutes: 14, seconds: 59 });
    await refused(attempt(), 'auth.tooManyAttempts');
    market.clock.advance({ seconds: 1 });
    await attempt();
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
      const ended = await outcomes(Array.from({ length: 10 }, (_, n) => attempt(`burst ${round}`, n % 2 ? other.db : market.db)));
      expect(ended.filter((end) => end === 'kept')).toHaveLength(3);
    }
  });
});

test('rows that nothing asks for any more go after two days, and no others', async () => {
  const { rateLimit, verification, pendingSignUps, signUpLinks, signInLinks, session, user, contactRequests, products } = schema;
  const day = (n: number) => new Date(market.clock.now().getTime() + n * 86_400_000);
  await market.db.insert(user).values({ id: 'u', name: 'u', email: 'u@example.test' });
  const [product] = await market.db.insert(products).values({ slug: 'p' }).returning();
  const productId = product?.id as string;
  for (const [name, at] of [
    ['old', day(-2.01)],
    ['fresh', day(-1.99)],
  ] as const) {
    await market.db.insert(rateLimit).values({ id: name, key: name, count: 1, lastRequest: at.getTime() });
    await market.db.insert(verification).values({ id: name, identifier: name, value: 'u', expiresAt: at });
    await market.db.insert(signUpLinks).values({ tokenHash: name, email: 'u@example.test', createdAt: at, expiresAt: at });
    await market.db.insert(signInLinks).values({ tokenHash: name, userId: 'u', createdAt: at, expiresAt: at });
    await market.db.insert(session).values({ id: name, token: name, userId: 'u', expiresAt: at });
    await market.db.insert(contactRequests).values({ visitor: name, addressHash: 'a', productId, requestedAt: at });
  }
  // A sign-up holds a stranger's number and password: it goes with its last link, not two days later.
  for (const [name, expiresAt] of [
    ['Over', day(0)],
    ['Waiting', day(0.01)],
  ] as const)
    await market.db.insert(pendingSignUps).values({ email: 'p@example.test', passwordHash: 'x', name, language: 'en', createdAt: day(-1), expiresAt });
  // Questions matter for the hour that they are counted in.
  for (const [a, hours] of [
    [3, -2.01],
    [4, -1.99],
  ] as const) {
    const askedAt = day(hours / 24);
    const question = { kind: 'sum', a, b: 2 } as const;
    const asked = { id: crypto.randomUUID(), addressHash: 'a', visitor: 'v', looked: false, productId, question, askedAt, readyAt: askedAt };
    await market.db.insert(schema.contactChallenges).values(asked);
  }
  expect(await forgetOldRows(market.job('forget-old-rows'))).toBe(8);
  expect((await market.db.select().from(schema.contactChallenges)).map(({ question }) => question)).toMatchObject([{ a: 4 }]);
  expect((await market.db.select().from(pendingSignUps)).map((row) => row.name)).toEqual(['Waiting']);
  expect((await market.db.select().from(signInLinks)).map((row) => row.tokenHash)).toEqual(['fresh']);
  expect((await market.db.select().from(rateLimit)).map((row) => row.id)).toEqual(['fresh']);
  expect((await market.db.select().from(session)).map((row) => row.id)).toEqual(['fresh']);
  expect((await market.db.select().from(contactRequests)).map((row) => row.visitor)).toEqual(['fresh']);
});

test('an attempt that is refused again is not counted again: a flood writes nothing', async () => {
  for (let n = 0; n < 4; n++) await attempt('flood').catch(() => {});
  const rows = () => market.db.select({ key: schema.rateLimit.key, count: schema.rateLimit.count }).from(schema.rateLimit);
  const before = await rows();
  for (let n = 0; n < 20; n++) await expect(attempt('flood')).rejects.toMatchObject({ code: 'auth.tooManyAttempts', retryAfter: 900 });
  expect(await rows()).toEqual(before);
  market.clock.advance({ seconds: 900 });
  await attempt('flood');
});
