import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Ctx } from '../../api/core/context.ts';
import { once } from '../../api/core/idempotency.ts';
import { inTransaction } from '../../api/core/transaction.ts';
import { correctCredits } from '../../api/credits/correct.ts';
import { spend } from '../../api/credits/spend.ts';
import { askAboutPayments } from '../../api/payments/askAboutPayments.ts';
import { buyCredits } from '../../api/payments/buy.ts';
import { writeSetting } from '../../api/settings/values.ts';
import { type Db, outageOf } from '../../db/client.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { balanceOf, expectSoundCredits, grant } from '../support/credits.ts';

/**
 * Backends are ended one by one while members pay, buy and are corrected; cut-off writes retry with
 * the same key.
 */
const market = await testApp();
const { member, seller, admin } = await actors(market);
const pools = Array.from({ length: 4 }, () => market.database.another({ max: 4 }).db);

const writers = 12;
const rounds = 12;
const start = 500;
let answered = 0;
let acknowledged = 0;
let cutOff = 0;
let lost = 0;

/** Repeats a write with its key until it is acknowledged, as the browser does. */
async function acknowledge<T>(write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      const answer = await write();
      // Every fourth answer is lost: the write is committed, but the caller does not know.
      if (++answered % 4 === 0) lost++;
      else {
        acknowledged++;
        return answer;
      }
    } catch (error) {
      if (outageOf(error) === undefined) throw error;
      cutOff++;
    }
  }
}

/** Ends one busy backend of a pool at a time, and the next after an acknowledged write. */
async function endBackends(until: () => boolean): Promise<number> {
  // Its own connection, which it cannot end.
  const sql = await market.sql.reserve();
  let ended = 0;
  for (let seen = -1; !until(); ) {
    if (acknowledged === seen) {
      await sql`select 1`;
      continue;
    }
    seen = acknowledged;
    const [row] = await sql<
      { ended: boolean }[]
    >`select pg_terminate_backend(pid) as ended from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state in ('active', 'idle in transaction')
      order by random() limit 1`;
    if (row?.ended) ended++;
  }
  sql.release();
  return ended;
}

test('no acknowledged write is lost and none is done twice, while backends are ended', async () => {
  await writeSetting(market.job('x'), 'weeklyPurchaseLimitUsd', 10_000);
  await grant(market, member, start);
  await grant(market, seller, start);
  const [asMember, asSeller, asAdmin] = [
    await market.ctx(member),
    await market.ctx(seller),
    await market.ctx(admin),
  ];
  const expected = new Map([
    [member.userId, start],
    [seller.userId, start],
  ]);
  const add = (userId: string, amount: number) =>
    expected.set(userId, (expected.get(userId) ?? 0) + amount);
  const bought = new Set<string>();

  /** Spends for a post under one key. */
  const payOnce = (ctx: Ctx, userId: string, key: string, thing: string) =>
    inTransaction(ctx, (tx) =>
      once(tx, userId, key, { post: thing }, () => spend(tx, 'post', thing)),
    );

  async function write(n: number, db: Db): Promise<void> {
    const [own, { userId }] = n % 2 ? [asSeller, seller] : [asMember, member];
    for (let round = 0; round < rounds; round++) {
      const [key, thing] = [randomUUID(), randomUUID()];
      if (round % 6 === 5) {
        bought.add((await acknowledge(() => buyCredits({ ...own, db }, 'stripe', key))).id);
        add(userId, 25);
      } else if (round % 3 === 2) {
        await acknowledge(() =>
          correctCredits({ ...asAdmin, db }, { userId, amount: 3, reason: 'Under faults' }, key),
        );
        add(userId, 3);
      } else {
        await acknowledge(() => payOnce({ ...own, db }, userId, key, thing));
        add(userId, -2);
      }
    }
  }

  let done = false;
  const ending = endBackends(() => done);
  await Promise.all(
    Array.from({ length: writers }, (_, n) => write(n, pools[n % pools.length] ?? market.db)),
  );
  market.clock.advance({ seconds: 2 });
  // Interrupted jobs are asked about again after the lease.
  const completed = () =>
    acknowledge(
      async () =>
        (
          await market.sql<
            { n: number }[]
          >`select count(*)::int as n from purchases where status = 'completed'`
        )[0]?.n ?? 0,
    );
  while ((await completed()) < bought.size) {
    await acknowledge(() => askAboutPayments(market.job('ask-about-payments', pools[0])));
    market.clock.advance({ seconds: 30 });
  }
  done = true;
  const ended = await ending;
  // The last backend that was ended may still be a connection of the pool.
  await Promise.all(Array.from({ length: 40 }, () => acknowledge(() => market.sql`select 1`)));

  expect(bought.size).toBe((writers * rounds) / 6);
  for (const [userId, sum] of expected) expect(await balanceOf(market, { userId })).toBe(sum);
  expect((await market.sql`select count(*)::int as n from purchases`)[0]?.n).toBe(bought.size);
  await expectSoundCredits(market);
  // The faults did occur.
  expect([ended > 50, cutOff > 10, lost > 30]).toEqual([true, true, true]);
}, 120_000);
