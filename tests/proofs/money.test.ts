import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sim, startSim } from '../../dev/money/sim.ts';
import { diceOf } from '../../dev/testbed/dice.ts';
import { openTestbed, type Testbed } from '../../dev/testbed/market.ts';
import type { Person } from '../../dev/testbed/people.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';

/** Payments by mobile money while the server is killed between any two steps. */
const token = 'a-token-of-the-test-account';
const [buyers, kills] = [12, 10];
let cluster: Cluster;
let testbed: Testbed;
let sim: Sim;
beforeAll(async () => {
  cluster = await startCluster({ durable: true });
  sim = await startSim({ token, confirmsMs: 200, silentMs: 700 });
  testbed = await openTestbed(cluster, { PAWAPAY_BASE: sim.url, PAWAPAY_TOKEN: token });
}, 120_000);
afterAll(async () => {
  await testbed?.stop();
  sim?.close();
  await cluster?.stop();
});

test('what was charged is credited, once, and nobody is charged twice by us', async () => {
  const { sql } = testbed;
  await sql`insert into settings (key, value, updated_at) values ('xafPerUsd', '600', now()), ('xafPerUsdFrom', '"2026-01-01"', now())`;
  const dice = diceOf(54);
  const people: Person[] = [];
  for (let n = 0; n < buyers; n++) people.push(await testbed.signUp(`buyer${n}`));
  let [over, cutOff] = [false, 0];
  /** Repeats a request until it is answered, under one key. */
  const insist = async (person: Person, path: string, json?: object) => {
    const key = crypto.randomUUID();
    for (;;)
      try {
        const answer = await testbed.ask(person, path, { key, ...(json ? { json } : {}) });
        if (answer.status < 500) return answer;
        throw new Error(String(answer.status));
      } catch {
        cutOff += 1;
        await testbed.up();
        await pause(20);
      }
  };
  const buy = async (person: Person, n: number) => {
    // Each has a phone: one is asked for so many payments in an hour only.
    const phone = `+2376771234${50 + n}`;
    const json = { method: 'mobile_money', phone, network: 'mtn_momo' };
    while (!over) {
      if (dice() < 0.2) sim.misbehave(dice() < 0.5 ? 'acceptanceLost' : 'timeout');
      await insist(person, '/api/credits/purchases', json);
      await pause(dice() * 400);
      await insist(person, '/api/credits/purchases');
    }
  };
  const buying = people.map(buy);
  for (let n = 0; n < kills; n++) {
    await pause(300 + dice() * 900);
    await testbed.kill.server?.();
    await testbed.up();
  }
  over = true;
  await Promise.all(buying);
  const waiting = async () =>
    (await sql`select id from purchases where status = 'pending'`).map(({ id }) => String(id));
  // The timetable finds the rest, after the leases of those who died.
  for (const until = Date.now() + 90_000; (await waiting()).length > 0 && Date.now() < until; )
    await pause(500);
  expect(await waiting()).toEqual([]);

  const paid = (await sql`select id from purchases where completed_at is not null`).map(({ id }) =>
    String(id),
  );
  const charged = [...sim.deposits.values()]
    .filter(({ status }) => status === 'COMPLETED')
    .map(({ depositId }) => depositId);
  expect(paid.sort()).toEqual(charged.sort());
  // Two a week are allowed, and no more were charged.
  expect(
    await sql`select member from purchases where completed_at is not null group by member having count(*) > 2`,
  ).toEqual([]);
  expect((await testbed.command('api/commands/verifyCredits.ts')).code).toBe(0);
  expect((await testbed.command('api/commands/checkMarket.ts')).said).not.toMatch(/^✗/m);
  // Enough was cut off and charged to prove something.
  expect([cutOff >= 5, charged.length >= buyers]).toEqual([true, true]);
}, 240_000);
