import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Ctx } from '../../../api/core/context.ts';
import { correctCredits } from '../../../api/credits/correct.ts';
import type { ReferenceType } from '../../../api/credits/rules.ts';
import { askAboutPayments } from '../../../api/payments/askAboutPayments.ts';
import { buyCredits } from '../../../api/payments/buy.ts';
import { cancelPurchase } from '../../../api/payments/cancelPurchase.ts';
import { closePurchase } from '../../../api/payments/closePurchase.ts';
import { ownPurchases } from '../../../api/payments/reads.ts';
import { weekStart } from '../../../api/payments/rules.ts';
import { settlePurchase } from '../../../api/payments/settle.ts';
import { Refusal } from '../../../api/shared/errors.ts';
import { type Db, schema } from '../../../db/client.ts';
import { purchaseMethods } from '../../../db/vocabularies.ts';
import { actors, type Person } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { balanceOf, expectSoundCredits, giveBack, pay } from '../../support/credits.ts';
import { rare } from '../../support/rare.ts';

/**
 * In any order and concurrently: no balance is negative, and each thing is paid and credited once
 * (decision 042).
 */
const market = await testApp();
const { member, seller, admin } = await actors(market);
const people = [member, seller] as const;
const pools = [market.db, ...[1, 2, 3].map(() => market.database.another({ max: 3 }).db)];
const contexts = new Map<Person, Ctx>();
beforeAll(async () => {
  for (const person of [...people, admin]) contexts.set(person, await market.ctx(person));
});
const as = (person: Person, db: Db): Ctx => ({ ...(contexts.get(person) as Ctx), db });

/** Few things and keys, so that operations collide. */
const things = Array.from({ length: 12 }, () => randomUUID());
const keys = Array.from({ length: 6 }, () => randomUUID());
const who = fc.constantFrom(0 as const, 1 as const);
const which = fc.nat({ max: 11 });
const type = fc.constantFrom<ReferenceType>('post', 'response', 'post_update');
const operation = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('spend' as const), who, which, type }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('refund' as const), which, type }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('buy' as const),
      who,
      method: fc.constantFrom(...purchaseMethods),
      key: fc.nat({ max: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('settle' as const, 'close' as const, 'cancel' as const),
      which,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('correct' as const),
      who,
      amount: fc.integer({ min: -6, max: 12 }).filter((amount) => amount !== 0),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('job' as const, 'look' as const), who }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('advance' as const),
      seconds: fc.constantFrom(1, 2, 30, 86_400, 4 * 86_400),
    }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer O> ? O : never;

let kept = 0;
let refusals = 0;
async function perform(op: Operation, db: Db): Promise<unknown> {
  const person = 'who' in op ? people[op.who] : member;
  const purchase = async () => {
    const rows = await market.db
      .select()
      .from(schema.purchases)
      .orderBy(schema.purchases.createdAt, schema.purchases.id);
    return rows['which' in op ? op.which % Math.max(1, rows.length) : 0]?.id ?? randomUUID();
  };
  switch (op.kind) {
    case 'spend':
      return pay(as(person, db), op.type, things[op.which]);
    case 'refund':
      return giveBack(market.job('refund', db), things[op.which] ?? '', op.type);
    case 'buy':
      return buyCredits(as(person, db), op.method, keys[op.key] ?? '');
    case 'settle':
      return settlePurchase(as(admin, db), await purchase(), `RCT-${op.which}`);
    case 'close':
      return closePurchase(as(admin, db), await purchase(), {
        outcome: 'failed',
        reason: 'No cash came',
      });
    case 'cancel':
      return cancelPurchase(as(people[op.which % 2] ?? member, db), await purchase());
    case 'correct':
      return correctCredits(
        as(admin, db),
        { userId: person.userId, amount: op.amount, reason: 'Random' },
        randomUUID(),
      );
    case 'job':
      return askAboutPayments(market.job('ask-about-payments', db));
    case 'look':
      return ownPurchases(as(person, db));
    case 'advance':
      return market.clock.advance({ seconds: op.seconds });
  }
}
/** A refusal is an expected outcome; any other error is a bug. */
const performed = async (op: Operation, db: Db) => {
  try {
    await perform(op, db);
    kept++;
  } catch (error) {
    if (
      !(error instanceof Refusal) ||
      (error.status >= 500 && error.code !== 'credits.transactionFailed')
    )
      throw error;
    refusals++;
  }
};

/** No member exceeds the weekly limit, whatever was cancelled in between. */
async function expectWithinLimit(): Promise<void> {
  const rows = await market.db.select().from(schema.purchases);
  const bought = Map.groupBy(
    rows.filter(({ status }) => status === 'pending' || status === 'completed'),
    ({ member: of, createdAt }) => `${of} ${weekStart(createdAt).toISOString()}`,
  );
  for (const [week, of] of bought) expect(of.length, week).toBeLessThanOrEqual(2);
}

test('in any order, four at a time over four processes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 40, maxLength: 80, size: 'max' }),
      async (operations) => {
        await market.reset();
        for (let at = 0; at < operations.length; at += 4)
          await Promise.all(
            operations.slice(at, at + 4).map((op, n) => performed(op, pools[n] ?? market.db)),
          );
        await expectSoundCredits(market);
        await expectWithinLimit();
      },
    ),
    { seed: 54, numRuns: rare ? 12 : 5, endOnFailure: true },
  );
  // Guards the test: both outcomes must be common.
  expect([kept > (rare ? 250 : 90), refusals > (rare ? 100 : 35)]).toEqual([true, true]);
}, 240_000);

test('one after the other, a balance is that of a simple sum', async () => {
  const spends = fc.array(
    fc.record({
      which,
      type,
      refund: fc.boolean(),
      amount: fc.integer({ min: -3, max: 6 }).filter((n) => n !== 0),
    }),
    {
      minLength: 20,
      maxLength: 60,
      size: 'max',
    },
  );
  await fc.assert(
    fc.asyncProperty(spends, async (steps) => {
      await market.reset();
      const price = { post: 2, response: 1, post_update: 2 };
      const paid = new Map<string, 'paid' | 'refunded'>();
      let sum = 0;
      for (const { which: n, type: kind, refund, amount } of steps) {
        const thing = things[n] ?? '';
        const name = `${kind} ${thing}`;
        const ok = (work: Promise<unknown>) =>
          work.then(
            () => true,
            (error) => (error instanceof Refusal ? false : Promise.reject(error)),
          );
        const corrected = await ok(
          correctCredits(
            as(admin, market.db),
            { userId: member.userId, amount, reason: 'Random' },
            randomUUID(),
          ),
        );
        expect(corrected).toBe(sum + amount >= 0);
        if (corrected) sum += amount;
        if (refund) {
          expect(await giveBack(market.job('x'), thing, kind)).toBe(paid.get(name) === 'paid');
          if (paid.get(name) === 'paid') {
            sum += price[kind];
            paid.set(name, 'refunded');
          }
        } else {
          const spent = await ok(pay(as(member, market.db), kind, thing));
          expect(spent).toBe(sum >= price[kind] && !paid.has(name));
          if (spent) {
            sum -= price[kind];
            paid.set(name, 'paid');
          }
        }
        expect(await balanceOf(market, member)).toBe(sum);
      }
      await expectSoundCredits(market);
    }),
    { seed: 54, numRuns: rare ? 8 : 4, endOnFailure: true },
  );
}, 240_000);
