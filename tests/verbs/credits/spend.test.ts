import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '../../../api/core/transaction.ts';
import { lockAccount } from '../../../api/credits/ledger.ts';
import { prices } from '../../../api/credits/rules.ts';
import { refundSpend, spend } from '../../../api/credits/spend.ts';
import { writeSetting } from '../../../api/settings/values.ts';
import { presentRefusal } from '../../../api/shared/errors.ts';
import { schema } from '../../../db/client.ts';
import { actors, signUpMember } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { asTx } from '../../support/asTx.ts';
import { balanceOf, expectSoundCredits, giveBack, grant, pay } from '../../support/credits.ts';
import { collide } from '../../support/race.ts';
import { outcomes, outcomesOf, refused } from '../../support/refusals.ts';

/** Spending and refunding credits (decision 042). */
const market = await testApp();
const { member, seller, suspendedSeller, admin } = await actors(market);
const pools = [1, 2, 3].map(() => market.database.another({ max: 8 }).db);
beforeEach(() => market.reset());
const { creditEntries } = schema;
const entries = () =>
  market.db.select().from(creditEntries).orderBy(creditEntries.member, creditEntries.serial);
const ofMember = () => market.ctx(member);

describe('a spend', () => {
  test('costs two, one and two credits, and says what is left', async () => {
    await grant(market, member, 10);
    const ctx = await ofMember();
    expect([
      await pay(ctx, 'post'),
      await pay(ctx, 'response'),
      await pay(ctx, 'post_update'),
    ]).toEqual([8, 7, 5]);
    expect(
      (await entries()).map(({ serial, kind, amount, balance, referenceType }) => [
        serial,
        kind,
        amount,
        balance,
        referenceType,
      ]),
    ).toEqual([
      [1, 'correction', 10, 10, null],
      [2, 'spend', -2, 8, 'post'],
      [3, 'spend', -1, 7, 'response'],
      [4, 'spend', -2, 5, 'post_update'],
    ]);
    await expectSoundCredits(market);
  });

  test('is open to sellers, suspended ones and admins too, each from their own credits', async () => {
    for (const person of [seller, suspendedSeller, admin]) {
      await grant(market, person, 3);
      expect(await pay(await market.ctx(person))).toBe(1);
    }
    await refused(pay(await market.ctx()), 'signInRequired');
    await expectSoundCredits(market);
  });

  test('says how many credits are needed where there are too few, and leaves nothing behind', async () => {
    const ctx = await ofMember();
    const words = {
      post: 'You need 2 credits to create a post.',
      response: 'You need 1 credit to respond to a post.',
      post_update: 'You need 2 credits to add an update.',
    };
    const codes = {
      post: 'credits.neededForPost',
      response: 'credits.neededForResponse',
      post_update: 'credits.neededForUpdate',
    } as const;
    for (const type of ['post', 'response', 'post_update'] as const) {
      const refusal = await refused(pay(ctx, type), codes[type]);
      expect(presentRefusal(refusal, 'en', 'x').error.message).toBe(words[type]);
      expect(presentRefusal(refusal, 'fr', 'x').error.message).toContain(`${prices[type]} crédit`);
      expect([refusal.status, refusal.details]).toEqual([
        402,
        { needed: type === 'response' ? 1 : 2, balance: 0 },
      ]);
    }
    await grant(market, member, 1);
    await refused(pay(ctx), 'credits.neededForPost');
    expect(await pay(ctx, 'response')).toBe(0);
    expect(await entries()).toHaveLength(2);
  });

  test('is undone with what it pays for', async () => {
    await grant(market, member, 2);
    const failing = inTransaction(await ofMember(), async (tx) => {
      await spend(tx, 'post', randomUUID());
      throw new Error('the post was not written');
    });
    await expect(failing).rejects.toThrow('the post was not written');
    expect(await balanceOf(market, member)).toBe(2);
    await expectSoundCredits(market);
  });

  test('outside of a transaction is a mistake of the code', async () => {
    await expect(spend(asTx(await ofMember()), 'post', randomUUID())).rejects.toThrow(
      'in the transaction',
    );
    await expect(refundSpend(asTx(await ofMember()), 'post', randomUUID())).rejects.toThrow(
      'in the transaction',
    );
  });

  test('pays for one thing once, whoever asks again', async () => {
    await grant(market, member, 10);
    await grant(market, seller, 10);
    const id = randomUUID();
    await pay(await ofMember(), 'post', id);
    const refusal = await refused(pay(await ofMember(), 'post', id), 'credits.transactionFailed');
    expect(presentRefusal(refusal, 'en', 'x').error.message).toBe(
      'Failed to process credit transaction.',
    );
    await refused(pay(await market.ctx(seller), 'post', id), 'credits.transactionFailed');
    // The same id of another kind is another purchase.
    expect(await pay(await ofMember(), 'response', id)).toBe(7);
    expect(await balanceOf(market, seller)).toBe(10);
  });

  test('of many at once never goes below zero: they wait for each other, and the last ones are refused', async () => {
    await grant(market, member, 9);
    const contexts = await Promise.all(
      Array.from({ length: 12 }, (_, n) => market.ctx(member, { db: pools[n % 3] ?? market.db })),
    );
    const ends = await collide(
      market.sql,
      `select 1 from credit_accounts where user_id = '${member.userId}' for update`,
      contexts.map((ctx) => () => pay(ctx)),
    );
    expect(outcomesOf(ends)).toEqual([
      ...Array(8).fill('credits.neededForPost'),
      ...Array(4).fill('kept'),
    ]);
    expect(await balanceOf(market, member)).toBe(1);
    await expectSoundCredits(market);
  });
});

describe('a refund', () => {
  test('gives back the whole price to whoever paid, once, whoever causes it', async () => {
    await grant(market, member, 5);
    const id = randomUUID();
    await pay(await ofMember(), 'post', id);
    expect(await giveBack(await market.ctx(admin), id)).toBe(true);
    expect(await giveBack(await market.ctx(admin), id)).toBe(false);
    expect(await balanceOf(market, member)).toBe(5);
    const [, spent, refund] = await entries();
    expect(refund).toMatchObject({
      kind: 'refund',
      amount: 2,
      undoes: spent?.id,
      member: spent?.member,
    });
    await expectSoundCredits(market);
  });

  test('of what nobody paid gives nothing', async () => {
    expect(await giveBack(market.job('x'), randomUUID())).toBe(false);
    expect(await entries()).toEqual([]);
  });

  test('asked for eight times at once is one', async () => {
    await grant(market, member, 5);
    const id = randomUUID();
    await pay(await ofMember(), 'post', id);
    const jobs = Array.from({ length: 8 }, (_, n) => market.job('x', pools[n % 3]));
    const ends = await collide(
      market.sql,
      `select 1 from credit_accounts where user_id = '${member.userId}' for update`,
      jobs.map((job) => () => giveBack(job, id)),
    );
    expect(ends.map((end) => end.status === 'fulfilled' && end.value).sort()).toEqual([
      ...Array(7).fill(false),
      true,
    ]);
    await expectSoundCredits(market);
  });

  test('leaves the thing paid for: it is not paid a second time', async () => {
    await grant(market, member, 5);
    const id = randomUUID();
    await pay(await ofMember(), 'post', id);
    await giveBack(market.job('x'), id);
    await refused(pay(await ofMember(), 'post', id), 'credits.transactionFailed');
  });
});

describe('a new member', () => {
  const open = async (n = 0) => {
    const ctx = await market.ctx(member, { db: pools[n % 3] ?? market.db });
    return inTransaction(ctx, (tx) => lockAccount(tx, member.userId));
  };

  test('starts with nothing, and with no entry, unless the setting says otherwise', async () => {
    expect(await open()).toMatchObject({ balance: 0, entries: 0 });
    expect(await entries()).toEqual([]);
  });

  test('starts with the credits of the setting, given once, however many ask first', async () => {
    await writeSetting(market.job('x'), 'creditsOnJoining', 5);
    expect(new Set(await outcomes(Array.from({ length: 16 }, (_, n) => open(n))))).toEqual(
      new Set(['kept']),
    );
    expect((await entries()).map(({ kind, amount }) => [kind, amount])).toEqual([['joining', 5]]);
    await writeSetting(market.job('x'), 'creditsOnJoining', 9);
    expect(await open()).toMatchObject({ balance: 5 });
    await expectSoundCredits(market);
  });
});

test('the ledger of an account that is deleted stays, as a number’s', async () => {
  const gone = await signUpMember(market);
  await grant(market, gone, 4);
  await pay(await market.ctx(gone));
  await market.db.delete(schema.user).where(eq(schema.user.id, gone.userId));
  expect(await market.db.select().from(schema.creditAccounts)).toMatchObject([
    { userId: null, entries: 2, balance: 2 },
  ]);
  await expectSoundCredits(market);
});
