import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectActs } from '../../dev/faults/acts.ts';
import { marketActs } from '../../dev/faults/marketActs.ts';
import type { Outcome } from '../../dev/faults/reckon.ts';
import { reckon } from '../../dev/faults/reckon.ts';
import { promisesOf, storm, summary } from '../../dev/faults/storm.ts';
import { openTestbed, type Testbed } from '../../dev/testbed/market.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { behindTheTriggers } from '../support/credits.ts';
import * as photos from '../support/photos.ts';

/**
 * Twelve writers while the server, Postgres and connections are killed mid-write; `bun run faults`
 * runs longer.
 */
const acts = [...connectActs, ...marketActs(new Uint8Array(await photos.jpeg(60)))];
let cluster: Cluster;
let testbed: Testbed;
let outcome: Outcome;
beforeAll(async () => {
  cluster = await startCluster({ durable: true });
  testbed = await openTestbed(cluster);
  outcome = await storm(testbed, {
    acts,
    seed: 54,
    seconds: 60,
    kills: { server: 2, postgres: 1, backend: 3 },
    writers: 12,
  });
}, 240_000);
afterAll(async () => {
  await testbed?.stop();
  await cluster?.stop();
});

test('what was acknowledged is kept, once, whatever was killed meanwhile, and no rule of the market is broken', () => {
  expect([outcome.violations, outcome.lost]).toEqual([[], []]);
  expect(summary(outcome)).toMatch(
    /^6 kills \(2 of the server, 1 of Postgres, 3 of backends\), \d+ requests, \d+ acknowledged, 0 violations, 0 lost$/,
  );
  // Enough requests were cut off and acknowledged to prove something.
  expect([outcome.cutOff >= 5, outcome.acknowledged >= 15]).toEqual([true, true]);
});

test('the reckoning sees a write that is gone, one that is there twice, and rules that are broken', async () => {
  // Takes the database's present content as promises.
  const promises = promisesOf(acts);
  for (const { name, kept } of acts) promises.get(name)?.texts.push(...(await kept(testbed.sql)));
  const found = async () => {
    const after: Pick<Outcome, 'violations' | 'lost'> = { violations: [], lost: [] };
    await reckon(testbed, after, acts, promises);
    return after;
  };
  expect(await found()).toEqual({ violations: [], lost: [] });

  const [post] = await testbed.sql`select id from connect_posts limit 1`;
  const forged = `insert into connect_updates (id, post_id, type, message, timestamp) select gen_random_uuid(), '${post?.id}', 'note', 'Not paid for', now()`;
  for (const statement of [
    'delete from uploads where id = (select id from uploads limit 1)',
    `insert into audit_log (at, actor_kind, action, subject_kind, subject_id, request_id) values (now(), 'admin', 'queue.move', 'product', 'x', 'of nobody')`,
    'update credit_accounts set balance = balance + 1 where number = (select min(number) from credit_accounts)',
    forged,
  ])
    await behindTheTriggers(testbed, statement);
  const { lost, violations } = await found();
  expect(lost).toEqual([expect.stringMatching(/^upload /)]);
  expect(violations).toEqual(
    expect.arrayContaining([
      'balances',
      'updatesPaid',
      'chains',
      'move was done 1 times unheard, and 0 requests had no answer',
      expect.stringMatching(/^update .* is there 1 times, and was acknowledged 0$/),
      expect.stringMatching(/The account says something else than its entries/),
    ]),
  );
});
