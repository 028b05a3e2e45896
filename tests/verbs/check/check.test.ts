import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { brokenRules, checkMarket } from '../../../api/check/check.ts';
import { allRules, rowRules } from '../../../api/check/list.ts';
import type { Rule, RuleName } from '../../../api/check/rule.ts';
import { respond } from '../../../api/connect/respond.ts';
import { addUpdate } from '../../../api/connect/update.ts';
import { viewPost } from '../../../api/connect/view.ts';
import type { Ctx } from '../../../api/core/context.ts';
import { atOneMoment } from '../../../api/core/transaction.ts';
import { edit } from '../../../api/products/edit.ts';
import { checkHealth } from '../../../api/upkeep/check.ts';
import { healthReport } from '../../../api/upkeep/reads.ts';
import { runJob } from '../../../jobs/run.ts';
import type { Job } from '../../../jobs/schedule.ts';
import { schedule } from '../../../jobs/schedule.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { grant } from '../../support/credits.ts';
import { paidPost } from '../../support/posts.ts';
import { approved, draft, live, submitted, uploadPhoto } from '../../support/products.ts';

/** Every rule of the market, and that breaking it is detected (decision 018). */
const market = await testApp({ now: new Date() });
const { member, seller, otherSeller, suspendedSeller, admin } = await actors(market);
const { sql } = market;
let shown = '';

beforeAll(async () => {
  const first = await live(market, seller, admin);
  shown = first.id;
  await approved(market, otherSeller, admin);
  await approved(market, otherSeller, admin);
  await submitted(market, seller);
  // An upload that no product uses yet.
  await uploadPhoto(market, seller);
  const [own] = await sql`select id from uploads where product_id = ${shown}`;
  await edit(await market.ctx(seller), shown, { ...draft(), images: [own?.id] } as never);
  const day = market.clock.now();
  await sql`insert into engagement_events (type, slot_id, product_id, visitor, occurred_at, rolled_at) values ('view', ${first.slotId}, ${shown}, 'x', ${day}, ${day})`;
  const key = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Douala' }).format(day);
  await sql`insert into product_daily (product_id, day, views) values (${shown}, ${key}, 1)`;
  await sql`insert into slot_daily (product_id, slot_id, day, views) values (${shown}, ${first.slotId}, ${key}, 1)`;
  await sql`update slot_engagement set views = 1 where slot_id = ${first.slotId}`;
  const reference = await paidPost(market, member);
  await grant(market, seller, 9);
  await respond(await market.ctx(seller), reference, randomUUID());
  await viewPost(await market.ctx(seller), reference);
  await grant(market, member, 3);
  await addUpdate(
    await market.ctx(member),
    reference,
    { type: 'progress', message: 'News' },
    randomUUID(),
  );
});

const undone = new Error('undone');
/** Rules found broken after a statement, which is rolled back. */
async function foundAfter(statement: string, rules: readonly Rule[] = rowRules) {
  let found: Awaited<ReturnType<typeof brokenRules>> = [];
  const job = market.job('check-market');
  await market.db
    .transaction(async (db) => {
      await db.execute(`set local session_replication_role = replica; ${statement}`);
      found = await brokenRules({ ...job, db }, rules);
      throw undone;
    })
    .catch((error) => {
      if (error !== undone) throw error;
    });
  return found;
}

const someProduct = `(select id from products where status = 'pending' limit 1)`;
const liveSlot = `(select min(id) from slots where active)`;
const unguard = (table: string, ...names: string[]) =>
  names.map((name) => `alter table ${table} drop constraint ${name};`).join(' ');
/** The statement that breaks each rule. */
const breaks: Partial<Record<RuleName, string>> = {
  migrations: `delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)`,
  guards: `alter table slots disable trigger slots_stay`,
  references: `delete from products where id in (select product_id from slots)`,
  sequences: `update audit_log set id = id + 100000`,
  slots: `delete from slots where id = 54`,
  slotCounters: `delete from slot_engagement where slot_id = 54`,
  orphanedSlot: `update products set status = 'rejected', approved_at = null, rejected_at = now() where id in (select product_id from slots)`,
  twoSlots: `${unguard('slots', 'slots_product_id_unique')} update slots s set active = true, product_id = o.product_id, start_time = o.start_time, end_time = o.end_time from slots o where s.id = 53 and o.active`,
  queuedTwice: `${unguard('queue_items', 'queue_items_product_id_unique')} insert into queue_items (product_id, queue_name, band, position, queued_at, item_data) select product_id, queue_name, 1, position + 1, now(), item_data from queue_items limit 1`,
  inOnePlace: `delete from queue_items where id = (select min(id) from queue_items)`,
  unapproved: `insert into queue_items (product_id, queue_name, band, position, queued_at, item_data) values (${someProduct}, 'queue:regular', 1, 99, now(), '{}')`,
  goneButListed: `update products set sold_at = now() where id in (select product_id from slots)`,
  endedUnapproved: `update listings set ended_at = now(), end_reason = 'time' where product_id = ${someProduct}`,
  slotListing: `update listings set slot_id = 53 where slot_id = ${liveSlot}`,
  queueLane: `update queue_items set queue_name = 'queue:featured'`,
  queueBand: `update queue_items set band = 0, priority = 1`,
  queueOrder: `update queue_items set position = -9000000000000001 where id = (select min(id) from queue_items)`,
  queueData: `update queue_items set item_data = '{}'`,
  paused: `update slots set paused_at = now(), paused_by = 'admin', remaining_duration = 50 where active`,
  suspendedLive: `update products set seller_id = '${suspendedSeller.sellerId}' where id in (select product_id from slots)`,
  findable: `update findable set price = price + 1`,
  listingNumbers: `update listings set number = 3 where product_id = ${someProduct}`,
  listingOpenOnce: `drop index listings_open_idx; insert into listings (product_id, number, opened_at) values (${someProduct}, 2, now())`,
  listingTimes: `update listings set opened_at = started_at + interval '1 hour' where started_at is not null`,
  listingsInOrder: `insert into listings (product_id, number, opened_at, ended_at, end_reason) values (${someProduct}, 2, now(), now(), 'time')`,
  productTimes: `update products set approved_at = created_at - interval '1 day' where status = 'approved'`,
  changedUnlisted: `update products set status = 'rejected', approved_at = null, rejected_at = now() where id in (select product_id from product_edits)`,
  feesWhole: `${unguard('listings', 'listings_fee_marked')} update listings set fee_state = 'paid' where fee_state = 'due'`,
  feesPaid: `insert into purchases (id, listing_id, amount_xaf, purchase_method, adapter, status, reference, payment_reference, created_at, completed_at) select gen_random_uuid(), id, fee, 'mobile_money', 'x', 'completed', 'x', 'x', now(), now() from listings where fee_state = 'due' limit 1`,
  feesKept: `insert into kept_fees (listing_id, opened_at, fee, fee_state) select id, opened_at, 1, 'due' from listings limit 1`,
  dailyBehind: `update product_daily set views = 0`,
  countersAhead: `update slot_engagement set views = 7 where slot_id = ${liveSlot}`,
  countersNegative: `update slot_engagement set shares = -1 where slot_id = 54`,
  photoReleased: `update uploads set product_id = null, owner_id = null where product_id in (select product_id from slots)`,
  changePhotos: `update product_edits set changes = jsonb_set(changes, '{images}', '["${randomUUID()}"]')`,
  uploadsLeft: `update uploads set product_id = null, created_at = now() - interval '5 days'`,
  sessions: `update session set expires_at = now() + interval '1 year'`,
  leaving: `update "user" set leaving_at = now() where id in (select user_id from sellers)`,
  addresses: `insert into email_changes (user_id, old_email, new_email, session_id, link_hash, asked_at, link_expires_at, confirmed_at, take_back_hash, held_until)
    select one.id, other.email, one.email, 's', repeat('a', 64), now(), now(), now(), repeat('b', 64), now() + interval '7 days'
    from "user" one, "user" other where one.id <> other.id limit 1`,
  links: `insert into chat_link_codes (code_hash, user_id, created_at, expires_at, used_at) select repeat('a', 64), id, now() - interval '1 hour', now() - interval '30 minutes', now() from "user" limit 1`,
  lettersTried: `update outbox set state = 'waiting', sent_at = null, attempts = 9`,
  lettersStuck: `update outbox set state = 'waiting', sent_at = null, next_attempt_at = now() - interval '2 days'`,
  lettersSent: `update outbox set state = 'sent', sent_at = created_at - interval '1 hour'`,
  chatsUnanswered: `insert into chat_updates (transport, update_id, key_hash, sealed, next_attempt_at, received_at) values ('telegram', '1', repeat('a', 64), 'x', now() - interval '2 days', now())`,
  answers: `update idempotency_keys set answer = null`,
  settings: `insert into settings (key, value) values ('contactPerHour', '"many"')`,
  balances: `update credit_accounts set balance = balance + 1`,
  running: `update credit_entries set balance = balance + 1 where serial = 1`,
  paidTwice: `drop index credit_entries_spend_idx; update credit_entries set reference_type = 'post', reference_id = (select id from connect_posts) where kind = 'spend'`,
  refundedTwice: `drop index credit_entries_undoes_idx; update credit_entries set kind = 'refund', reason = null, undoes = (select id from credit_entries where kind = 'spend' limit 1) where kind = 'correction'`,
  wronglyCredited: `insert into purchases (id, member, amount_usd, credits_amount, purchase_method, adapter, status, reference, payment_reference, created_at, completed_at) select gen_random_uuid(), number, 10, 25, 'stripe', 'x', 'completed', 'r', 'p', now(), now() from credit_accounts limit 1`,
  refunds: `insert into purchases (id, member, amount_usd, credits_amount, purchase_method, adapter, status, reference, payment_reference, created_at, completed_at) select gen_random_uuid(), number, 10, 25, 'stripe', 'x', 'refunded', 'r', 'p', now(), now() from credit_accounts limit 1`,
  receipts: `insert into receipt_counters values ('creditNote', 1)`,
  settledTwice: `insert into purchases (id, member, amount_usd, credits_amount, purchase_method, adapter, status, reference, payment_reference, created_at, completed_at) select gen_random_uuid(), number, 10, 25, 'cash_partner', 'x', 'completed', 'r' || n, (array['CASH-x', 'cash-x '])[n], now(), now() from credit_accounts, generate_series(1, 2) n where number = (select min(number) from credit_accounts)`,
  weeklyLimit: `insert into purchases (id, member, amount_usd, credits_amount, purchase_method, adapter, reference, created_at) select gen_random_uuid(), number, 21, 25, 'stripe', 'x', 'r', now() from credit_accounts limit 1`,
  queueLog: `update queue_entries set at = at + interval '1 second' where serial = 1`,
  chains: `update credit_entries set at = at + interval '1 second' where serial = 1`,
  postsPaid: `update credit_entries set reference_id = gen_random_uuid() where reference_type = 'post'`,
  responsesPaid: `update credit_entries set reference_id = gen_random_uuid() where reference_type = 'response'`,
  updatesPaid: `update credit_entries set reference_id = gen_random_uuid() where reference_type = 'post_update'`,
  spentOnNothing: `delete from connect_updates`,
  respondedTwice: `drop index connect_responses_once_idx; insert into connect_responses (id, post_id, user_id, created_at) select gen_random_uuid(), post_id, user_id, now() from connect_responses`,
  respondedToSelf: `update connect_responses r set user_id = p.user_id from connect_posts p where p.id = r.post_id`,
  leavingPosts: `update connect_posts set status = 'closed', left_at = now()`,
  postTimes: `update connect_posts set updated_at = now() + interval '1 day'`,
  postViews: `update connect_figures set views = 0`,
};

describe('a sound market', () => {
  test('breaks none of its rules, and each has its own name', async () => {
    expect(await checkMarket(market.job('check-market'))).toEqual({
      checks: allRules.length,
      wrong: [],
    });
    expect(new Set(allRules.map(({ name }) => name)).size).toBe(allRules.length);
  });

  test('is looked at without a write: Postgres refuses one', async () => {
    const write = async ({ db }: Ctx) =>
      [
        ...(await db.execute<{ id: string }>(
          'update slots set is_featured = not is_featured returning id::text',
        )),
      ].map(({ id }) => id);
    const writing: Rule = { name: 'slots', mend: 'place', wrong: write };
    const also: Rule = {
      name: 'slots',
      mend: 'place',
      wrong: `select nextval('audit_log_id_seq') as id`,
    };
    const found = await atOneMoment(market.job('check-market'), (tx) =>
      brokenRules(tx, [writing, also, ...rowRules]),
    );
    expect(found).toEqual(
      [writing, also].map(({ name, mend }) => ({ name, mend, count: null, ids: [] })),
    );
    expect(JSON.stringify(market.logged)).toContain('in a read-only transaction');
  });
});

describe('the check names', () => {
  test.each(rowRules.map(({ name }) => name))('%s, when it is broken', async (name) => {
    const own = rowRules.filter((rule) => rule.name === name);
    const [broken] = await foundAfter(breaks[name] ?? '', own);
    expect(broken).toMatchObject({
      name,
      count: expect.any(Number),
      ids: expect.arrayContaining([expect.stringMatching(/./)]),
    });
    expect(broken?.count).toBeGreaterThan(0);
  });

  test('nothing that is not broken: a name that somebody else set breaks no rule', async () => {
    expect(await foundAfter("update products set seller_name = 'Somebody'")).toEqual([]);
  });

  test('a file that is missing, and one that belongs to nothing, by their names', async () => {
    const [lost = ''] = [...market.storage.files.keys()];
    const bytes = market.storage.files.get(lost) ?? new Uint8Array();
    await market.storage.delete([lost]);
    const stray = 'products/20260101T000000Z-abcdefgh-320.webp';
    market.clock.advance({ days: -3 });
    await market.storage.put(stray, bytes, 'image/webp');
    market.clock.advance({ days: 3 });
    const { wrong } = await checkMarket(market.job('check-market'));
    expect(wrong).toEqual([
      { name: 'filesMissing', mend: 'file', count: 1, ids: [lost] },
      { name: 'filesLeft', mend: 'file', count: 1, ids: [stray] },
    ]);
    await market.storage.put(lost, bytes, 'image/webp');
    await market.storage.delete([stray]);
  });

  test('the first twenty of many, and says how many there are', async () => {
    expect(
      (await foundAfter('delete from slots')).find(({ name }) => name === 'slots'),
    ).toMatchObject({ count: 54, ids: { length: 20 } });
  });
});

test('the night’s look is on the health page, in the reader’s language, with what is wrong and how to mend it', async () => {
  const job = schedule.find(({ name }) => name === 'check-market') as Job;
  const admins = await market.ctx(admin);
  const inHealth = async () =>
    (await checkHealth(market.job('check-health'))).checks.find(({ name }) => name === 'integrity');
  expect((await healthReport(admins)).rules).toBeNull();
  expect((await runJob(market.host, job)).outcome).toBe('done');
  expect((await healthReport(admins)).rules).toMatchObject({ checks: allRules.length, wrong: [] });
  expect(await inHealth()).toMatchObject({ status: 'healthy', code: 'admin:health.rulesHold' });

  await sql`update slot_engagement set views = 900 where slot_id = (select id from slots where product_id = ${shown})`;
  expect((await runJob(market.host, job)).outcome).toBe('done');
  expect(await inHealth()).toMatchObject({
    status: 'error',
    code: 'admin:health.rulesBroken',
    params: { count: 1 },
  });
  const { rules } = await healthReport({ ...admins, language: 'fr' });
  expect(rules?.wrong).toMatchObject([
    {
      name: 'countersAhead',
      count: 1,
      wrong: expect.stringMatching(/^Les compteurs/),
      mend: expect.stringMatching(/^Des chiffres/),
    },
  ]);
  expect(JSON.stringify(market.logged)).toContain('A rule of the market does not hold');
  await sql`update slot_engagement set views = 1 where views = 900`;
});
