import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { receive } from '../../../api/chats/inbox.ts';
import { rollUpEngagement } from '../../../api/engagement/rollup.ts';
import { chatKey } from '../../../api/people/chats.ts';
import { deletesUntil } from '../../../api/shared/retention/deletesUntil.ts';
import { keptMs, type Period } from '../../../api/shared/retention/periods.ts';
import { retention } from '../../../api/shared/retention/table.ts';
import { forgetOldRows } from '../../../api/upkeep/forget.ts';
import { judgeAlarms } from '../../../api/upkeep/judgeAlarms.ts';
import { schema } from '../../../db/client.ts';
import { schedule } from '../../../jobs/schedule.ts';
import { actors, signUpSeller } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { cleanupCases } from '../../support/cleanup.ts';
import { paidPost } from '../../support/posts.ts';
import { live, uploadPhoto } from '../../support/products.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());
const dayMs = 86_400_000;
const { asJob, change, ended, rejected, removed } = cleanupCases(market, { seller, admin });

describe('a row goes when its line of the retention table says so, and not a day before', () => {
  const s = schema;
  const { db } = market;
  const userId = seller.userId;
  const of = { userId, createdAt: new Date(0) };
  const hash = (n: number) => n.toString(16).padStart(64, '0');
  const uuid = (n: number) => `00000000-0000-4000-8000-${hash(n).slice(-12)}`;
  const insertChat = (at: Date, n: number) =>
    db.insert(s.chats).values({
      ...{ transport: 'telegram' as const, keyHash: hash(n), sealedAddress: 'x', createdAt: at },
    });
  const endedNow = async () => {
    const now = market.clock.now();
    const id = await ended();
    market.clock.set(now);
    return id;
  };
  const endedAt = async (at: Date) => {
    const id = await endedNow();
    await db.update(s.listings).set({ endedAt: at }).where(eq(s.listings.productId, id));
    return id;
  };

  /** Inserts the n-th row, last used then; a row that says its own deadline gets it from `kept`. */
  const insert: Record<string, (at: Date, n: number, kept: number) => PromiseLike<unknown>> = {
    user: (at, n) =>
      db.insert(s.user).values({ id: hash(n), name: 'x', email: `${n}@x.cm`, leavingAt: at }),
    email_changes: (at, n, kept) =>
      db.insert(s.emailChanges).values({
        ...{ userId, oldEmail: 'a@x.cm', newEmail: 'b@x.cm', sessionId: '', linkHash: hash(n) },
        ...{ askedAt: at, linkExpiresAt: at, confirmedAt: at, takeBackHash: hash(n) },
        heldUntil: new Date(at.getTime() + kept),
      }),
    idempotency_keys: (at, n) =>
      db
        .insert(s.idempotencyKeys)
        .values({ owner: 'x', key: `${n}`, fingerprint: '', createdAt: at }),
    session: (at, n) =>
      db.insert(s.session).values({ ...of, id: `old ${n}`, token: `old ${n}`, expiresAt: at }),
    verification: (at, n) =>
      db
        .insert(s.verification)
        .values({ id: `${n}`, identifier: `${n}`, value: 'x', expiresAt: at }),
    pending_sign_ups: (at, n, kept) =>
      db.insert(s.pendingSignUps).values({
        ...{ email: `${n}@x.cm`, passwordHash: '', name: 'x', language: 'en', createdAt: at },
        expiresAt: new Date(at.getTime() + kept),
      }),
    sign_up_links: (at, n) =>
      db
        .insert(s.signUpLinks)
        .values({ ...of, tokenHash: hash(n), email: 'a@x.cm', expiresAt: at }),
    sign_in_links: (at, n) =>
      db.insert(s.signInLinks).values({ ...of, tokenHash: hash(n), expiresAt: at }),
    shop_slugs: (at, n) =>
      db.insert(s.shopSlugs).values({ slug: `shop-${n}`, takenAt: new Date(0), leftAt: at }),
    payers: async (at, n) => {
      await db.insert(s.purchases).values({
        ...{ id: uuid(n), listingId: uuid(n), amountXaf: 5, purchaseMethod: 'mobile_money' },
        ...{ adapter: 'x', reference: `payer ${n}`, createdAt: at },
      });
      await db.insert(s.payers).values({ purchaseId: uuid(n), sealed: 'x', at });
    },
    number_takings: (at, n) =>
      db.insert(s.numberTakings).values({ numberKey: hash(n), takenAt: at }),
    products: async (at) => change(await rejected(), { rejectedAt: at }),
    product_drafts: async (at, n) =>
      db.insert(s.productDrafts).values({
        ...{ userId: (await signUpSeller(market)).userId, key: uuid(n), answers: {}, photos: [] },
        updatedAt: at,
      }),
    listings: endedAt,
    findable: async (at) =>
      db
        .update(s.findable)
        .set({ endedAt: at })
        .where(eq(s.findable.productId, await endedNow())),
    uploads: async (at) => {
      const id = await uploadPhoto(market, seller);
      await db.update(s.uploads).set({ createdAt: at }).where(eq(s.uploads.id, id));
    },
    contact_requests: async (at, n) =>
      db.insert(s.contactRequests).values({
        ...{
          visitor: `${n}`,
          addressHash: hash(n),
          productId: (await live(market, seller, admin)).id,
        },
        requestedAt: at,
      }),
    contact_challenges: async (at, n) =>
      db.insert(s.contactChallenges).values({
        ...{ id: uuid(n), addressHash: hash(n), visitor: '', looked: true },
        ...{
          productId: (await live(market, seller, admin)).id,
          question: {} as never,
          askedAt: at,
          readyAt: at,
        },
      }),
    engagement_events: async (at) => {
      const { id, slotId } = await live(market, seller, admin);
      const event = { type: 'view' as const, slotId, productId: id, visitor: 'v' };
      await db.insert(s.engagementEvents).values({ ...event, occurredAt: at, rolledAt: at });
    },
    connect_views: async (at) => {
      const reference = await paidPost(market, seller);
      await db.execute(sql`insert into connect_views
        select id, 'v', ${at.toISOString()} from connect_posts where reference = ${reference}`);
    },
    outbox: (at) =>
      db.insert(s.outbox).values({
        ...{ channel: 'email' as const, recipient: 'a@example.cm', language: 'en' as const },
        ...{ kind: 'x', subject: '', bodyText: '', bodyHtml: '', state: 'failed' as const },
        ...{ nextAttemptAt: at, createdAt: at },
      }),
    chats: insertChat,
    chat_updates: async (at, n) => {
      await insertChat(market.clock.now(), n);
      await db.insert(s.chatUpdates).values({
        ...{ transport: 'telegram' as const, updateId: `${n}`, keyHash: hash(n), state: 'done' },
        ...{ nextAttemptAt: at, receivedAt: at },
      } as const);
    },
    chat_undelivered: (at, n) =>
      db
        .insert(s.chatUndelivered)
        .values({ idHash: hash(n), transport: 'whatsapp', code: 1, reason: '', at }),
    chat_link_codes: (at, n) =>
      db.insert(s.chatLinkCodes).values({ ...of, codeHash: hash(n), expiresAt: at }),
    data_requests: (at) =>
      db.insert(s.dataRequests).values({
        ...{ kind: 'see', person: 'x', receivedAt: at, closedAt: at, outcome: 'x' },
      } as const),
    cleanup_runs: (at) => db.insert(s.cleanupRuns).values({ startedAt: at, startedBy: 'x' }),
    rate_limit: (at, n) =>
      db.insert(s.rateLimit).values({ id: `${n}`, key: `${n}`, lastRequest: at.getTime() }),
    alarms: (at) =>
      db
        .insert(s.alarms)
        .values({ kind: 'harvest', since: at, beganAt: at, overAt: at, figures: {} }),
    'products.photos': endedAt,
    'products.removed': async (at) => change(await removed(), { removedAt: at }),
  };
  const jobs = schedule.map(({ name, verb }): [string, typeof verb] => [
    name,
    // Looks at no figures: it alone needs the running server.
    name === 'judge-alarms' ? (ctx) => judgeAlarms(ctx, {} as never) : verb,
  ]);
  const count = async (table: string): Promise<number> => {
    const where = table === 'products.photos' ? "where images <> '[]'" : '';
    const query = `select count(*)::int from "${table.split('.')[0]}" ${where}`;
    return (await db.execute<{ count: number }>(sql.raw(query)))[0]?.count ?? 0;
  };
  const lines = retention.flatMap(({ table, period, parts }) => [
    ...(period === undefined || period === 'ever' ? [] : [table]),
    ...Object.keys(parts ?? {}).map((part) => `${table}.${part}`),
  ]);

  test('every line with a period is tried', () => {
    expect(Object.keys(insert).sort()).toEqual(lines.sort());
  });

  test.each(Object.keys(insert))('%s', async (name) => {
    const [table, part] = name.split('.') as [string, ('photos' | 'removed')?];
    const found = retention.find((one) => one.table === table) ?? expect.fail('no line');
    const line = found as { -readonly [Key in keyof typeof found]: (typeof found)[Key] };
    const period = part ? line.parts?.[part] : line.period;
    const kept = keptMs((period ?? 'ever') as Period);
    const [, verb] = jobs.find(([job]) => job === line.job) ?? expect.fail('no job');
    const { period: own, parts } = line;
    const restore = () => Object.assign(line, { period: own, parts });
    onTestFinished(() => void restore());

    const before = await count(name);
    const young = (now: number) => new Date(now - kept + Math.min(dayMs, kept / 2));
    await insert[name]?.(young(market.clock.now().getTime()), 1, kept);
    await insert[name]?.(new Date(market.clock.now().getTime() - kept - 1000), 2, kept);
    const added = (await count(name)) - before;
    Object.assign(line, { period: 'ever', parts: {} });
    await verb(asJob());
    expect((await count(name)) - before).toBe(added);
    restore();
    await verb(asJob());
    expect((await count(name)) - before).toBe(added - 1);
  });

  test('a job deletes by its own lines alone', () => {
    const until = (job: string, table: string) => deletesUntil(market.clock, job, table);
    expect(until('forget-old-rows', 'rate_limit')).toBeInstanceOf(Date);
    expect(until('forget-drafts', 'rate_limit')).toBeUndefined();
    expect(until('forget-old-rows', 'barred_emails')).toBeUndefined();
    expect(until('forget-old-rows', 'credit_entries')).toBeUndefined();
  });
});

// These move the clock past the sessions of the others.
test('an event is forgotten a month after it was counted, a mail three months after it was written; what waits stays', async () => {
  const { id, slotId } = await live(market, seller, admin);
  const { engagementEvents, productDaily, outbox } = schema;
  const event = {
    type: 'view',
    slotId,
    productId: id,
    visitor: 'v',
    occurredAt: market.clock.now(),
  } as const;
  await market.db.insert(engagementEvents).values(event);
  await rollUpEngagement(asJob());
  await market.db.insert(engagementEvents).values({ ...event, visitor: 'not yet counted' });
  await market.db.update(outbox).set({ state: 'sent', sentAt: market.clock.now() });
  const mail = await market.db.select().from(outbox).limit(1);
  const { id: _, ...another } = mail[0] ?? expect.fail('an approval writes a mail');
  await market.db.insert(outbox).values({ ...another, state: 'waiting', sentAt: null });
  const mails = await market.db.$count(outbox);

  market.clock.advance({ days: 30 });
  await forgetOldRows(asJob());
  expect(await market.db.$count(engagementEvents)).toBe(2);
  market.clock.advance({ seconds: 1 });
  await forgetOldRows(asJob());
  expect(await market.db.select().from(engagementEvents)).toMatchObject([
    { visitor: 'not yet counted', rolledAt: null },
  ]);
  expect(await market.db.select().from(productDaily)).toMatchObject([{ productId: id, views: 1 }]);
  expect(await market.db.$count(outbox)).toBe(mails);

  market.clock.advance({ days: 60 });
  await forgetOldRows(asJob());
  expect(await market.db.select().from(outbox)).toMatchObject([{ state: 'waiting' }]);
});

test('a message to the bot is forgotten after eight days, a stranger’s chat three months after its last one, a linked chat never', async () => {
  const { chats, chatUpdates } = schema;
  for (const address of ['1', '2'])
    await receive(asJob(), {
      transport: 'telegram',
      address,
      updateId: address,
      message: { text: 'help' },
    });
  await market.db
    .update(chatUpdates)
    .set({ state: 'done', sealed: null })
    .where(eq(chatUpdates.updateId, '1'));
  await market.db
    .update(chats)
    .set({ userId: seller.userId, linkedAt: market.clock.now() })
    .where(eq(chats.keyHash, chatKey(market.services.secret, 'telegram', '2')));
  market.clock.advance({ days: 8 });
  await forgetOldRows(asJob());
  expect(await market.db.$count(chatUpdates)).toBe(2);
  market.clock.advance({ seconds: 1 });
  await forgetOldRows(asJob());
  expect([await market.db.$count(chatUpdates), await market.db.$count(chats)]).toEqual([0, 2]);
  market.clock.advance({ days: 82 });
  await forgetOldRows(asJob());
  expect(await market.db.select().from(chats)).toMatchObject([{ userId: seller.userId }]);
});
