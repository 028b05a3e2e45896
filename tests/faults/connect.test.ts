import { afterAll, beforeAll, expect, test } from 'vitest';
import { behindTheTriggers } from '../support/credits.ts';
import { freshDatabase } from '../support/database.ts';
import { connectActs } from './acts.ts';
import { openPlace, type Place } from './place.ts';
import { type Outcome, reckon, storm, summary } from './storm.ts';

/** Sixteen writers, while the server is killed and its connections are ended in the middle of writing. `bun run faults` does it for longer. */
const database = await freshDatabase();
let place: Place;
let outcome: Outcome;
beforeAll(async () => {
  place = await openPlace(database.target);
  outcome = await storm(place, { acts: connectActs, seed: 54, seconds: 10, kills: 3 });
}, 180_000);
afterAll(() => place?.stop());

test('what was acknowledged is kept, once, and no rule of the ledger or the board is broken', () => {
  expect([outcome.violations, outcome.lost]).toEqual([[], []]);
  expect(summary(outcome)).toMatch(/^3 kills, \d+ requests, \d+ acknowledged, 0 violations, 0 lost$/);
  // It was no calm day, and everything was done that members do.
  expect([outcome.ended >= 5, outcome.cutOff >= 20, outcome.acknowledged >= 60]).toEqual([true, true, true]);
  for (const name of ['publish', 'respond', 'update', 'purchase', 'correct']) expect(outcome.of[name], name).toBeGreaterThan(0);
});

test('the reckoning sees a write that is gone, one that is there twice, and a balance that is wrong', async () => {
  // What is there now counts as what was promised.
  const promises = new Map<string, Map<string, string>>();
  for (const { name, kept, exact } of connectActs) promises.set(name, new Map((exact ? await kept(place.sql) : []).map((text) => [text, text])));
  const found = async () => {
    const after: Pick<Outcome, 'violations' | 'lost'> = { violations: [], lost: [] };
    await reckon(place, after, connectActs, promises);
    return after;
  };
  expect(await found()).toEqual({ violations: [], lost: [] });

  await behindTheTriggers(place, 'delete from connect_updates where id = (select id from connect_updates limit 1)');
  const gone = await found();
  expect(gone.lost).toEqual([expect.stringMatching(/^update /)]);
  expect(gone.violations).toContain('spentOnNothing');

  await behindTheTriggers(place, 'update credit_accounts set balance = balance + 1 where number = (select min(number) from credit_accounts)');
  await behindTheTriggers(
    place,
    `insert into connect_updates (id, post_id, type, message, timestamp) select gen_random_uuid(), id, 'note', 'Not paid for', now() from connect_posts limit 1`,
  );
  const { violations } = await found();
  expect(violations).toEqual(expect.arrayContaining(['balances', 'updatesPaid', expect.stringMatching(/^update .* was never acknowledged$/), 'chains']));
});
